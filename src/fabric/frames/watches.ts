import { messageOf } from '../../common/errors.ts';
import { loadProgram, matches } from '../bpf/interpret.ts';
import type { WallClock } from '../capture/wall-clock.ts';
import { FabricError } from '../client/client.ts';
import type { FabricEvent, WatchSpec } from '../protocol.ts';
import { createAnswers } from './answers.ts';
import type { Cables } from './cables.ts';

export interface Watches {
  put(spec: WatchSpec): void;
  remove(watchId: string): void;
  removeProject(projectId: string): void;
}

interface Watch {
  spec: WatchSpec;
  isFor(direction: 0 | 1, frame: Uint8Array): boolean;
}

/** Octets of a frame that are told. */
const HEAD = 128;

interface Parts {
  cables: Pick<Cables, 'watch'>;
  clock: WallClock;
  emit: (event: FabricEvent) => void;
}

/** Cables with somebody who waits for a frame. One without costs a comparison for each frame, and nothing else. */
export function createWatches({ cables, clock, emit }: Parts): Watches {
  const byCable = new Map<string, Map<string, Watch>>();

  const remove = (cableId: string, watchId: string): void => {
    const watches = byCable.get(cableId);
    if (watches?.delete(watchId) !== true || watches.size > 0) return;
    byCable.delete(cableId);
    cables.watch(cableId);
  };
  const seen = ({ spec }: Watch, direction: 0 | 1, frame: Uint8Array, number: number): void => {
    const { watch_id, project_id, cable_id } = spec;
    remove(cable_id, watch_id);
    const head = Buffer.from(frame.subarray(0, HEAD)).toString('hex');
    const about = { watch_id, project_id, cable_id, direction, number, octets: frame.length, head };
    emit({ type: 'watch.matched', ...about, at_us: clock.now() });
  };
  const all = (): Watch[] => [...byCable.values()].flatMap((watches) => [...watches.values()]);

  return {
    put(spec) {
      const watches = byCable.get(spec.cable_id) ?? new Map<string, Watch>();
      const watch = { spec, isFor: load(spec) };
      const isThere = cables.watch(spec.cable_id, (direction, frame, number) => {
        for (const one of [...watches.values()]) if (one.isFor(direction, frame)) seen(one, direction, frame, number);
      });
      if (!isThere) throw new FabricError('not_found', `There is no cable ${spec.cable_id}`);
      if (all().length === 0) clock.set();
      byCable.set(spec.cable_id, watches.set(spec.watch_id, watch));
    },
    remove(watchId) {
      for (const { spec } of all()) if (spec.watch_id === watchId) remove(spec.cable_id, watchId);
    },
    removeProject(projectId) {
      for (const { spec } of all()) if (spec.project_id === projectId) remove(spec.cable_id, spec.watch_id);
    },
  };
}

const load = (spec: WatchSpec): Watch['isFor'] => {
  if ('answers' in spec) return createAnswers(spec.answers);
  try {
    const program = loadProgram(spec.program);
    return (_, frame) => matches(program, frame);
  } catch (error) {
    throw new FabricError('invalid', messageOf(error));
  }
};
