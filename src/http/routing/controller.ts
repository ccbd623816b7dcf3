import { invalid } from '../../common/errors.ts';
import { UUID } from '../../model/types.ts';
import type { Api } from '../api.ts';
import type { Call, Controller } from './route.ts';

type Asked = Pick<Call, 'controller'>;

/**
 * Whether a controller asks, be it a Topolog or an existing one: it opens a project by creating everything in it, also what is there already,
 * and leaves to the compute what that knows better, such as free console ports.
 */
export const servesController = (api: Pick<Api, 'gns3Compat'>, { controller }: Asked): boolean =>
  controller !== null || api.gns3Compat;

/** Whether values have the meaning of the existing server: for its clients, but not for a Topolog that is the controller. */
export const hasGns3Meaning = (api: Pick<Api, 'gns3Compat'>, { controller }: Asked): boolean =>
  controller === null && api.gns3Compat;

export const HEADER = 'X-Topolog-Controller';
/** Visible characters, so that it can stand in a header. */
export const KEY = /^[\x21-\x7e]{1,255}$/;
const EPOCH = /^[1-9]\d{0,15}$/;
const FORM = `the header ${HEADER} must be <controller_id> <epoch> or <controller_id> <epoch> <key>`;

/** Reads the header; null: it is absent, and the request comes from another client. */
export const readController = (header: string | string[] | undefined): Controller | null => {
  if (header === undefined) return null;
  const [controller_id = '', epoch = '', key = null, ...more] = String(header).trim().split(/ +/);
  if (!UUID.test(controller_id)) throw wrong('controller_id must be a UUID');
  if (!EPOCH.test(epoch) || !Number.isSafeInteger(Number(epoch))) throw wrong('epoch must be digits, from 1 on');
  if (more.length > 0 || (key !== null && !KEY.test(key))) throw wrong('key must have 1 to 255 visible characters');
  return { controller_id: controller_id.toLowerCase(), epoch: Number(epoch), key };
};

const wrong = (problem: string) => invalid(`${FORM}: ${problem}`, { field: HEADER });
