import type { Nio } from '../../events/fields.ts';
import type { Caller, PortAddress } from '../caller.ts';

export interface PortCommands {
  addNio(caller: Caller, at: PortAddress, nio: Nio): Promise<Nio>;
  updateNio(caller: Caller, at: PortAddress, nio: Nio): Promise<Nio>;
  removeNio(caller: Caller, at: PortAddress): Promise<void>;
  /** Reserves a free UDP port of the range for a client that builds NIOs itself. */
  leaseUdpPort(projectId: string): Promise<number>;
  /** Those that are reserved and not used yet. */
  leasedUdpPorts(): number[];
}
