import { TopologError } from '../../common/errors.ts';
import type { Filters, TunnelEnd } from '../../events/fields.ts';
import type { Place } from '../computes.ts';
import { statusOf } from '../client/errors.ts';
import { nodePath, type Prepared } from '../nodes/remote-nodes.ts';
import type { Kind, KindNode } from '../../emulators/kit/contract.ts';
import type { PortId } from '../../fabric/client/plumbing.ts';

/** The end of a tunnel at another compute: its NIO, made and changed so that frames go on wherever they can. */

/** An end of a link, and where its node is. */
export interface TunnelSide {
  kind: Kind;
  node: KindNode;
  port: PortId;
  compute_id: string;
}

/** A NIO as it was put. */
export interface PutNio {
  /** The node that has it: one that was made again has none. */
  prepared: Prepared;
  address: string;
  words: string;
}

export interface NioPutting {
  side: TunnelSide;
  place: Place;
  prepared: Prepared;
  own: TunnelEnd;
  other: TunnelEnd;
  filters: Filters;
  suspend: boolean;
  /** It is the end that has the filters; the other one has none. */
  isFiltering: boolean;
  /** null: it is not known what is there. */
  last: PutNio | null;
  /** Ends are those of the last time. */
  isSame: boolean;
  /** The port has one, of this link or of another. */
  isThere: boolean;
}

/** What a GNS3 server takes for a suspended link. */
const DROPS_ALL: Filters = { frequency_drop: [-1] };

interface NodePort extends Pick<TunnelSide, 'kind' | 'port'> {
  node: Pick<KindNode, 'project_id' | 'node_id'>;
}

export const nioPath = ({ kind, node, port }: NodePort): string =>
  `${nodePath(kind, node)}/adapters/${port.adapter_number}/ports/${port.port_number}/nio`;

export const putNio = async (putting: NioPutting, signal: AbortSignal): Promise<PutNio> => {
  const { side, place, prepared, last, suspend, isFiltering, isThere } = putting;
  const { isTopolog } = place.compute;
  const address = { lport: putting.own.lport, rhost: putting.other.host, rport: putting.other.lport };
  const filters = isFiltering && suspend && !isTopolog ? DROPS_ALL : putting.filters;
  const nio = { type: 'nio_udp', ...address, filters, suspend };
  const put = { prepared, address: JSON.stringify(address), words: JSON.stringify(nio) };
  if (last?.words === put.words) return put;
  const request = (method: 'POST' | 'PUT' | 'DELETE'): Promise<unknown> =>
    place.compute.client.request(method, nioPath(side), { ...(method === 'DELETE' ? {} : { body: nio }), signal });
  const hasAddress = last === null ? putting.isSame : last.address === put.address;
  const { nio_update } = side.kind.capabilities;
  if (isTopolog) await atTopolog(request, isThere && nio_update);
  else if (isThere && hasAddress) await changeInPlace(request, nio_update);
  else await atGns3(request, isThere);
  return put;
};

type Request = (method: 'POST' | 'PUT' | 'DELETE') => Promise<unknown>;

/** It takes a second one in the place of the first. */
const atTopolog = async (request: Request, isThere: boolean): Promise<void> => {
  if (isThere && (await isTaken(request('PUT')))) return;
  await request('POST');
};

/** A GNS3 server changes filters only; where it has no filters it refuses a second one, which says that the first is in its place. */
const changeInPlace = async (request: Request, nio_update: boolean): Promise<void> => {
  if (nio_update && (await isTaken(request('PUT')))) return;
  if (nio_update) await atGns3(request, false);
  else await isTaken(request('POST'));
};

/** One of before, maybe of another link, goes first. */
const atGns3 = async (request: Request, isThere: boolean): Promise<void> => {
  const clear = (): Promise<unknown> => request('DELETE').catch(unlessGone);
  if (isThere) await clear();
  if (await isTaken(request('POST'))) return;
  await clear();
  await request('POST');
};

/** False: it is not there to be changed, or there already. */
const isTaken = (answer: Promise<unknown>): Promise<boolean> =>
  answer.then(
    () => true,
    (error: unknown) => {
      if (isPort(error)) throw error;
      unlessGone(error);
      return false;
    },
  );

/** Its UDP port is another program's. */
export const isPort = (error: unknown): boolean => error instanceof TopologError && error.details['field'] === 'lport';

const unlessGone = (error: unknown): void => {
  const status = statusOf(error);
  if (status !== 404 && status !== 409) throw error;
};
