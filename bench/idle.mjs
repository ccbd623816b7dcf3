// What a lab costs that does nothing.
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeLab } from './lab.mjs';
import { fabricOf, startServer } from './server.mjs';

const PCS = 1000;
const SECONDS = 5;

/** Rows: share of one processor that server and fabric take together while 1,000 started PCs are idle. */
export const idle = async () => {
  const what = `processor taken by ${PCS} idle PCs (target under 2)`;
  if (process.platform !== 'linux') return [{ what, unit: '%', values: [] }];
  const server = await startServer([], ['--console-ports', '10000-29999']);
  try {
    const { project_id, file } = await writeLab(server.directory, PCS);
    await server.call('POST', '/v2/projects/load', { path: file });
    await server.call('POST', `/v2/projects/${project_id}/nodes/start`);
    // Start-up files, compilation and collection are no rest.
    await sleep(5000);
    const fabric = await fabricOf(server.directory);
    const used = async () => (await ticks(server.pid)) + (await ticks(fabric));
    const values = [];
    for (let n = 0; n < 3; n++) {
      const before = await used();
      await sleep(SECONDS * 1000);
      values.push(((await used()) - before) / SECONDS);
    }
    return [{ what, unit: '%', values }];
  } finally {
    await server.stop();
  }
};

/** Hundredths of a second of processor that a process has taken. */
const ticks = async (pid) => {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1].split(' ');
  return Number(fields[11]) + Number(fields[12]);
};
