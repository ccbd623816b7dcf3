import type { Disk } from './disk.ts';
import type { LevelDisk } from './level.ts';
import type { Programs } from './processes.ts';
import { fabrics } from './stand-ins.ts';
import type { World } from './world.ts';

/** What goes wrong while the clients work. */
export const planMishaps = (world: World, programs: Programs, level: LevelDisk, disk: Disk): void => {
  const at = (what: () => void): void =>
    void world.after(world.random.below(world.chance(0.8) ? 250 : 3000), 'something goes wrong', what, {
      owner: world.outside,
    });
  if (world.chance(0.3)) at(() => failWrites(world, level, disk));
  if (world.chance(0.25)) at(() => fabrics.now?.die());
  if (world.chance(0.15)) at(() => fabrics.now?.control?.break());
  if (world.chance(0.2))
    at(() => {
      if (fabrics.now !== null) fabrics.now.hungUntil = world.now + world.random.below(8000);
    });
  if (world.chance(0.3))
    at(() => {
      const program = world.random.pick(programs.running());
      if (program !== undefined) programs.end(program, 1);
    });
  if (world.chance(0.15))
    at(() => {
      const capture = world.random.pick([...(fabrics.now?.captures.values() ?? [])]);
      if (capture === undefined || fabrics.now === null) return;
      const { port, project_id } = capture;
      fabrics.now.captures.delete(`${port.node_id}/${port.adapter_number}/${port.port_number}`);
      fabrics.now.emit({ type: 'capture.failed', port, project_id, message: 'no space left' });
    });
};

const failWrites = (world: World, level: LevelDisk, disk: Disk): void => {
  const full = world.chance(0.5);
  level.failure = full ? 'No space left on device' : 'Input/output error';
  disk.full = full;
  const over = (): void => {
    level.failure = null;
    disk.full = false;
  };
  world.after(1 + world.random.below(world.chance(0.5) ? 20 : 2000), 'writes succeed again', over, {
    owner: world.outside,
  });
};
