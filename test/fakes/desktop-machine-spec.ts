/** A machine that a fake hypervisor starts. */
export interface MachineSpec {
  /** Files: where it tells its state, what it logs. */
  status: string;
  log: string;
  /** Unix sockets: of its commands, of its serial line. */
  control: string;
  serial: string | null;
  /** UDP ports of each adapter: it hears at one and sends to the other. `interface`: of this host, whose frames go through them. */
  nics: { adapter: number; from: number; to: number; interface: string | null }[];
  /** It goes on from a saved state. */
  restores: boolean;
  obeysButton: boolean;
  /** It ends as soon as it has begun. */
  endsAtOnce: boolean;
}
