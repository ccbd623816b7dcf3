import path from 'node:path';
import type { Port } from '../../kit/contract.ts';
import { runFolders } from '../../shared/process/run-folders.ts';

/** Unix stream sockets at which the relay of a node listens. */
export interface RunSockets {
  /** Raw bytes of the console. */
  console: string;
  /** JSON lines: see relay/control.ts. */
  control: string;
  /** Frames, each behind its length. */
  port(place: Pick<Port, 'adapter_number' | 'port_number'>): string;
}

export const folders = runFolders('iou');

export const socketsIn = (directory: string): RunSockets => ({
  console: path.join(directory, 'console'),
  control: path.join(directory, 'control'),
  port: ({ adapter_number, port_number }) => path.join(directory, `p${adapter_number}-${port_number}`),
});
