import type { Api } from '../api.ts';
import type { Call } from '../routing/route.ts';

type Asked = Pick<Call, 'controller'>;

/**
 * Whether a controller asks, of either sort: it opens a project by creating everything in it, what is there already among it, and leaves
 * to the compute what the compute knows better.
 */
export const servesController = (api: Pick<Api, 'asExisting'>, { controller }: Asked): boolean =>
  controller !== null || api.asExisting;

/** Whether values mean what they mean to the existing server. A Topolog has its own, whatever names it uses. */
export const meansAsExisting = (api: Pick<Api, 'asExisting'>, { controller }: Asked): boolean =>
  controller === null && api.asExisting;
