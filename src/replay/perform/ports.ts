import type { AnyEvent } from '../../events/schemas.ts';
import type { Nio } from '../../events/fields.ts';
import type { NodeRecord } from '../../projections/records.ts';
import { demand, type ReplayHost } from '../host.ts';
import type { Bag } from './requests.ts';

/** UDP ports of NIOs belong to the machine: those of the recording may be in use, e.g. by the recorded lab itself. */
export interface UdpPorts {
  /** A body with the replay's ports, reserved when they are first met. */
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
      // A reservation that was not taken up in time is given out again.
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
      // The other end may be another node of the lab.
      if (typeof rport === 'number' && local.has(rport) && LOOPBACK.test(String(rhost)))
        out['rport'] = await portFor(rport);
      return out;
    },
  };
};
