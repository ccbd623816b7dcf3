import { conflict } from '../../common/errors.ts';
import { udpPortIsFree } from '../../emulators/shared/host/ports-in-use.ts';
import { type LabContext, openProjectOf } from '../context.ts';

/** How long a port is kept for who has asked for it. Milliseconds. */
const LEASE_MS = 60_000;

/** UDP ports of this machine for NIOs and for links to other machines. */
export class UdpPorts {
  readonly #context: LabContext;
  readonly #leases = new Map<number, number>();

  constructor(context: LabContext) {
    this.#context = context;
  }

  leased(): number[] {
    return [...this.#leases].filter(([, until]) => until > Date.now()).map(([port]) => port);
  }

  /** A free one of the range, for a NIO or a link that is about to be made. */
  async lease(projectId: string): Promise<number> {
    openProjectOf(this.#context.pending, projectId);
    return this.next();
  }

  async next(): Promise<number> {
    const [first, last] = this.#context.settings.udpRange;
    const used = this.#used();
    for (let port = first; port <= last; port++) {
      const now = Date.now();
      if (used.has(port) || (this.#leases.get(port) ?? 0) > now) continue;
      // A lease that nobody took up is free again; so long another program's port is not looked at either.
      this.#leases.set(port, now + LEASE_MS);
      if (await udpPortIsFree('0.0.0.0', port)) return port;
    }
    throw conflict(`every UDP port of ${first}-${last} is taken`);
  }

  #used(): Set<number> {
    const { pending, computes } = this.#context;
    const ports = pending
      .projects()
      .flatMap(({ project_id }) => [
        ...pending
          .ofProject('node', project_id)
          .flatMap(({ nios }) => Object.values(nios).map((nio) => Number(nio['lport']))),
        ...pending
          .ofProject('link', project_id)
          .flatMap(({ tunnel = [] }) => tunnel.flatMap((end) => (computes.isHere(end.compute_id) ? [end.lport] : []))),
      ]);
    return new Set(ports);
  }
}
