import { randomUUID } from 'node:crypto';
import type { Nio } from '../events/fields.ts';
import type { AnyEvent } from '../events/schemas.ts';
import type { NodeRecord } from '../projections/records.ts';
import { demand, type ReplayHost } from './host.ts';
import type { Bag } from './requests.ts';

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** Maps ids of the recording to those of the replay and back, anywhere in a value. */
export interface Ids {
  /** The replay's id of an object. */
  of(recorded: string): string;
  /** A value of the recording with the replay's ids. */
  forth<T>(value: T): T;
  /** A value of the replay with the recording's ids. */
  back<T>(value: T): T;
}

export const createIds = (recorded: readonly string[], newId: () => string = randomUUID): Ids => {
  const forth = new Map(recorded.map((id) => [id, newId()]));
  const back = new Map([...forth].map(([old, id]) => [id, old]));
  const through =
    (ids: ReadonlyMap<string, string>) =>
    <T>(value: T): T =>
      mapTexts(value, (text) => text.replace(UUID, (id) => ids.get(id) ?? id));
  return { of: (id) => forth.get(id) ?? id, forth: through(forth), back: through(back) };
};

/** A copy of a JSON value with every text in it replaced; keys too, as ports and nodes may be keys. */
export const mapTexts = <T>(value: T, replace: (text: string) => string): T => {
  const map = (item: unknown): unknown => {
    if (typeof item === 'string') return replace(item);
    if (Array.isArray(item)) return item.map(map);
    if (typeof item !== 'object' || item === null) return item;
    return Object.fromEntries(Object.entries(item).map(([key, inner]) => [replace(key), map(inner)]));
  };
  return map(value) as T;
};

/** Maps UDP ports of NIOs, which belong to the machine: those of the recording may be in use, e.g. by the recorded lab itself. */
export interface UdpPorts {
  /** Replaces ports in a body by those of the replay, which are reserved at first use. */
  forth(body: Bag): Promise<Bag>;
  /** The recording's number of a port. */
  back(port: number): number;
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/;
const MOST_TRIES = 1000;

/** Local ports of every NIO of a recording. */
export const localPorts = (events: readonly AnyEvent[], nodes: readonly NodeRecord[]): Set<number> => {
  const nios: Nio[] = nodes.flatMap((n) => Object.values(n.nios));
  for (const event of events)
    if (event.type === 'node.nio_added' || event.type === 'node.nio_updated') nios.push(event.data.nio);
  return new Set(nios.map((nio) => Number(nio['lport'])));
};

export const createUdpPorts = (
  host: ReplayHost,
  projectId: string,
  local: ReadonlySet<number>,
  requestId: string,
): UdpPorts => {
  const forth = new Map<number, number>();
  const back = new Map<number, number>();

  const lease = async (recorded: number): Promise<number> => {
    for (let n = 0; n < MOST_TRIES; n++) {
      const path = `/v2/compute/projects/${projectId}/ports/udp`;
      const body = (await demand(host, 'no UDP port for a NIO', 'POST', path, null, requestId)) as { udp_port: number };
      // The server reuses a reservation that was not used in time.
      if (back.has(body.udp_port)) continue;
      forth.set(recorded, body.udp_port);
      back.set(body.udp_port, recorded);
      return body.udp_port;
    }
    throw new Error('no UDP port for a NIO is left');
  };
  const portFor = async (recorded: number): Promise<number> => forth.get(recorded) ?? lease(recorded);

  return {
    back: (port) => back.get(port) ?? port,
    async forth(body) {
      const { lport, rport, rhost } = body;
      const out = { ...body };
      if (typeof lport === 'number') out['lport'] = await portFor(lport);
      // The remote port may belong to another node of the lab.
      if (typeof rport === 'number' && local.has(rport) && LOOPBACK.test(String(rhost)))
        out['rport'] = await portFor(rport);
      return out;
    },
  };
};
