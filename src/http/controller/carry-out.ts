import { createHash } from 'node:crypto';
import { checkFence } from '../../actors/claim/fence.ts';
import { CLAIM } from '../../projections/records.ts';
import type { Api } from '../api.ts';
import type { Call, Payload, PlainRoute } from '../routing/route.ts';
import type { Controller } from './controller.ts';

/** A request of the compute group: as a single one or in a batch. */
export interface Asked {
  call: Pick<Call, 'controller'>;
  /** With the query, and the token of the kind. */
  url: string;
  /** As it was sent. */
  body: unknown;
}

/**
 * Carries out what a controller asks, if it has this compute; what changes something only then, and a repetition only once. What nobody
 * else asks goes through as it is.
 */
export const carryOut = (
  api: Pick<Api, 'records' | 'answers'>,
  route: PlainRoute,
  { call: { controller }, url, body }: Asked,
  work: () => Promise<Payload> | Payload,
): Promise<Payload> | Payload => {
  if (controller === null || route.method === 'GET' || route.isUnfenced === true) return work();
  checkFence(api.records.get('claim', CLAIM), controller);
  if (controller.key === null || route.success.type !== undefined) return work();
  // What throws at once is an answer as well.
  return api.answers.once(idOf(route, controller, url, body), async () => work());
};

/** One event of a controller may have led to several requests: each is known by what it asks. */
const idOf = ({ method }: PlainRoute, { controller_id, key }: Controller, url: string, body: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify([controller_id, key, method, url, body ?? {}]))
    .digest('base64');
