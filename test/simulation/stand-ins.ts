import type { HttpDeps } from '../../src/http/server/server.ts';
import type { FoundFabric, SuperviseOptions } from '../../src/fabric/client/supervise.ts';
import { Directory as RealDirectory } from '../../src/actors/directory.ts';
import type { LabContext } from '../../src/actors/context.ts';
import { TopologError } from '../../src/common/errors.ts';
import { Connection } from './connection.ts';
import { SimulatedFabric } from './fabric.ts';
import { world } from './world.ts';

/** What takes the place of parts of the product that reach out of the process: see hooks.ts for whose. */

/** What of the running server the simulation looks at, as the server has put it together. */
export const inside: { directory: RealDirectory | null; context: LabContext | null; deps: HttpDeps | null } = {
  directory: null,
  context: null,
  deps: null,
};

export class Directory extends RealDirectory {
  constructor(context: LabContext) {
    super(context);
    inside.directory = this;
    inside.context = context;
  }
}

/** The facade: clients call its commands. */
export const buildServer = (deps: HttpDeps): { close(): Promise<void> } => {
  inside.deps = deps;
  return { close: () => Promise.resolve() };
};

export const listenAt = (): Promise<string> => Promise.resolve('http://simulated');

export const reclaimMemory = (): Promise<() => void> => Promise.resolve(() => undefined);

/** The machine's real processes are none of a simulated server's; its programs are those of processes.ts. */
export const findMarked = (): Promise<never[]> => Promise.resolve([]);

/** Nobody else has ports. */
export const portIsFree = (): Promise<boolean> => Promise.resolve(true);
export const udpPortIsFree = (): Promise<boolean> => Promise.resolve(true);

/** LevelDB keeps its promises here: its files are not what is looked at. */
export const checkFiles = (): Promise<string | null> => Promise.resolve(null);

/** The fabric of the machine; null: none runs. */
export const fabrics: { now: SimulatedFabric | null; make: () => SimulatedFabric; startFails: number } = {
  now: null,
  make: () => new SimulatedFabric({ opFails: 0, nodeEnds: 0 }),
  startFails: 0,
};

export const findOrStartFabric = async (_options: SuperviseOptions): Promise<FoundFabric> => {
  const server = world().current;
  await world().io('looks for a fabric', 1, () => undefined);
  const adopted = fabrics.now?.owner.alive === true;
  if (!adopted) {
    await world().io('starts a fabric', 40, () => undefined);
    if (world().chance(fabrics.startFails))
      throw new TopologError('engine_failed', { what: 'The fabric could not be started', reason: 'simulated' });
    if (fabrics.now?.owner.alive !== true) fabrics.now = fabrics.make();
  }
  const fabric = fabrics.now as SimulatedFabric;
  return { client: new Connection(fabric, server), adopted, pid: fabric.pid, sockets: 'simulated', beats: false };
};
