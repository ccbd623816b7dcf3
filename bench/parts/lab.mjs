import { writeLab } from '../lab.mjs';
import { memoryOf, startServer } from '../server.mjs';

const PCS = 200;

/** Each run has a server of its own: the first load, the first start. */
export const lab = async ({ runs }) => {
  const figures = { boot: [], load: [], start: [], stop: [], memory: [] };
  for (let run = 0; run < runs; run++) {
    const begin = performance.now();
    const server = await startServer();
    figures.boot.push(performance.now() - begin);
    try {
      const { project_id, file, nodes } = await writeLab(server.directory, PCS);
      const before = await memoryOf(server);
      figures.load.push(await timed(() => server.call('POST', '/v2/projects/load', { path: file })));
      figures.start.push(await timed(() => server.call('POST', `/v2/projects/${project_id}/nodes/start`)));
      const after = await memoryOf(server);
      if (after !== null) figures.memory.push(((after - before) * 1024) / nodes);
      figures.stop.push(await timed(() => server.call('POST', `/v2/projects/${project_id}/nodes/stop`)));
    } finally {
      await server.stop();
    }
  }
  const what = `${PCS} PCs on a switch`;
  return [
    { what: 'start of the server, until it listens', unit: 'ms', values: figures.boot },
    { what: `load of ${what}, until it is open`, unit: 'ms', values: figures.load },
    { what: `start of ${what}`, unit: 'ms', values: figures.start },
    { what: `stop of ${what}`, unit: 'ms', values: figures.stop },
    { what: 'memory of a loaded, running node', unit: 'KiB', values: figures.memory },
  ];
};

const timed = async (work) => {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
};
