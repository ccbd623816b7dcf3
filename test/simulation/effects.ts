import { KEYS } from '../../src/events/store/store.ts';
import type { Op } from '../../src/fabric/protocol.ts';
import { watcher } from './connection.ts';
import { contentOf, type LevelDisk } from './level.ts';
import { programWatcher } from './processes.ts';
import type { World } from './world.ts';

/** No effect outruns the event that explains it: that is on disk when an op leaves the server or a program is started. */
export const watchEffects = (world: World, level: LevelDisk): void => {
  const isNamed = (id: string): boolean =>
    level.rows({ gte: `o/${id}/`, lte: `o/${id}/~`, limit: 1 }).some(([key]) => level.synced.has(key));
  const checkStart = (nodeId: string, name: string): void => {
    const text = level.synced.get(KEYS.record('node', nodeId));
    const state = text === undefined ? 'not there' : (JSON.parse(contentOf(text)) as { state: string }).state;
    if (!['starting', 'reloading'].includes(state))
      world.problem(`${name} is started and its record on disk is ${state}`);
  };
  watcher.onOp = (op: Op) => {
    if (op.op === 'node.start') checkStart(op.node.node_id, op.node.name);
    if (op.op === 'cable.put' && !op.cable.cable_id.startsWith('nio:') && !isNamed(op.cable.cable_id))
      world.problem(`the cable of link ${op.cable.cable_id} is made and no event on disk has the link`);
    if (op.op === 'capture.start' && !isNamed(op.capture.port.node_id))
      world.problem(`a capture begins at ${op.capture.port.node_id} and no event on disk has it`);
  };
  programWatcher.onStart = ({ node_id, name }) => checkStart(node_id, name);
};
