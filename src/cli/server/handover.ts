import type { Client } from '../../client/index.ts';
import { conflict, TopologError } from '../../common/errors.ts';
import { until } from '../../common/promises.ts';
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
    const next = async (): Promise<CellWriter | null> => {
      const writer = await writerOf(client).catch(() => null);
      if (writer === null || writer.owner !== before?.owner) return writer;
      if (writer.epoch === before.epoch) return null;
      throw conflict(`no other server could take over, and ${writer.owner} writes again; its log says why`);
    };
    const writer = await until(next, { every: LOOK_MS, within: PATIENCE_MS });
    if (writer === null) throw new TopologError('deadline', { what: 'The handover', seconds: PATIENCE_MS / 1000 });
    return { records: writer, rows: [[`${writer.owner} writes now, at ${writer.url}`]] };
  },
);

interface CellWriter {
  owner: string;
  url: string;
  epoch: number | null;
}

const writerOf = async (client: Client): Promise<CellWriter | null> => {
  const { cell } = await client.get('/v2/health');
  if (cell === undefined) throw conflict('the log of this server is its own: there is nobody to hand over to');
  const { writer, epoch } = cell;
  return writer === null || writer.url === '' ? null : { ...writer, epoch };
};
