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
  address: string;
  words: string;
}

/** State of a port: its NIO of this link, as of now or as the log has it, one of another link, that it has none, or nothing. */
export type AtPort = PutNio | 'as made' | 'of another' | 'none' | 'unknown';

export interface NioPutting {
  side: TunnelSide;
  place: Place;
  /** The node as it is there: one that was made again has no NIO. */
  prepared: Prepared;
  own: TunnelEnd;
  other: TunnelEnd;
  filters: Filters;
  suspend: boolean;
  /** It is the end that has the filters; the other one has none. */
  isFiltering: boolean;
  there: AtPort;
}

/** What a GNS3 server takes for a suspended link. */
const DROPS_ALL: Filters = { frequency_drop: [-1] };

interface NodePort extends Pick<TunnelSide, 'kind' | 'port'> {
  node: Pick<KindNode, 'project_id' | 'node_id'>;
}

export const nioPath = ({ kind, node, port }: NodePort): string =>
  `${nodePath(kind, node)}/adapters/${port.adapter_number}/ports/${port.port_number}/nio`;

export const putNio = async (putting: NioPutting, signal: AbortSignal): Promise<PutNio> => {
  const { side, place, there, suspend, isFiltering } = putting;
  const { isTopolog } = place.compute;
  const address = { lport: putting.own.lport, rhost: putting.other.host, rport: putting.other.lport };
  const filters = isFiltering && suspend && !isTopolog ? DROPS_ALL : putting.filters;
  const nio = { type: 'nio_udp', ...address, filters, suspend };
  const put = { address: JSON.stringify(address), words: JSON.stringify(nio) };
  const last = typeof there === 'string' ? null : there;
  if (last?.words === put.words) return put;
  const request = (method: 'POST' | 'PUT' | 'DELETE'): Promise<unknown> =>
    place.compute.client.request(method, nioPath(side), { ...(method === 'DELETE' ? {} : { body: nio }), signal });
  const { nio_update } = side.kind.capabilities;
  if (isTopolog) await atTopolog(request, nio_update && there !== 'none' && there !== 'unknown');
  else if (there === 'as made' || last?.address === put.address) await changeInPlace(request, nio_update);
  else await atGns3(request, there);
  return put;
};

type Request = (method: 'POST' | 'PUT' | 'DELETE') => Promise<unknown>;

/** It takes a second one in the place of the first. */
const atTopolog = async (request: Request, isThere: boolean): Promise<void> => {
  if (isThere && (await isTaken(request('PUT')))) return;
  await request('POST');
};

/** A GNS3 server changes filters only. Where it has none, there is nothing to change. */
const changeInPlace = async (request: Request, nio_update: boolean): Promise<void> => {
  if (nio_update && !(await isTaken(request('PUT')))) await atGns3(request, 'unknown');
};

/**
 * Never posts where a NIO may be: the switches and routers of a GNS3 server open a second socket before they look, and that one has the
 * frames from then on, also where it is refused with 409.
 */
const atGns3 = async (request: Request, there: AtPort): Promise<void> => {
  if (there === 'none' && (await isTaken(request('POST')))) return;
  await request('DELETE').catch(unlessGone);
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
