import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../../client/index.ts';
import { conflict, TopologError } from '../../common/errors.ts';
import { labCommand } from '../lab-command.ts';

const LOOK_MS = 50;
/** Longest wait for another server to write. Milliseconds. */
const PATIENCE_MS = 30_000;

export const handoverCommand = labCommand(
  'handover',
  [0, 0],
  `Lets another server of the cell write: the one that writes hands over and stands by. Returns once another one writes.`,
  async ({ client }) => {
    const before = await writerOf(client);
    await client.post('/v2/handover');
    const until = performance.now() + PATIENCE_MS;
    while (performance.now() < until) {
      const writer = await writerOf(client).catch(() => null);
      if (writer !== null && writer.owner === before?.owner && writer.epoch !== before.epoch)
        throw conflict(`no other server could take over, and ${writer.owner} writes again; its log says why`);
      if (writer !== null && writer.owner !== before?.owner)
        return { records: writer, rows: [[`${writer.owner} writes now, at ${writer.url}`]] };
      await sleep(LOOK_MS);
    }
    throw new TopologError('deadline', { what: 'The handover', seconds: PATIENCE_MS / 1000 });
  },
);

const writerOf = async (client: Client): Promise<{ owner: string; url: string; epoch: number | null } | null> => {
  const { cell } = await client.get('/v2/health');
  if (cell === undefined) throw conflict('the log of this server is its own: there is nobody to hand over to');
  const { writer, epoch } = cell;
  return writer === null || writer.url === '' ? null : { ...writer, epoch };
};
