import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeSwitchedLab } from '../lab.mjs';
import { memoryOf, processorOf, startServer } from '../server.mjs';

/** Seconds that start and stop of so many PCs are to take at most. */
const SIZES = { 200: 0.25, 1000: 1, 5000: 5 };
/** Runs of the largest take most of the time. */
const MOST_RUNS = { 200: 5, 1000: 3, 5000: 1 };
/** Until start-up files have run and a quiet server has given memory back. Milliseconds. */
const SETTLING_MS = 8000;
const IDLE_MS = 5000;
/** With their switches nearly as many nodes as a project may have. */
const MOST_PCS = 9500;

/** Each run has a server of its own: the first load, the first start. */
export const lab = async ({ runs }) => {
  const boots = [];
  const rows = [];
  for (const [pcs, seconds] of Object.entries(SIZES)) {
    const figures = { load: [], loadReads: [], start: [], stop: [], reads: [], processor: [], memory: [], idle: [] };
    for (let run = 0; run < Math.min(runs, MOST_RUNS[pcs]); run++)
      await once(Number(pcs), figures, boots, run === 0 && Number(pcs) >= 1000);
    rows.push(...rowsOf(Number(pcs), seconds, figures));
  }
  const largest = { load: [], longest: [], processor: [] };
  for (let run = 0; run < Math.min(runs, 3); run++) await loadLargest(largest);
  return [
    { what: 'start of the server, until it listens', unit: 'ms', values: boots },
    ...rows,
    { what: 'load of 9,500 PCs, 475 switches', unit: 'ms', values: largest.load },
    { what: 'the longest of the GETs meanwhile (target 50)', unit: 'ms', values: largest.longest },
    { what: 'processor time of both', unit: 'ms', values: largest.processor },
  ];
};

const loadLargest = async ({ load, longest, processor }) => {
  const server = await startServer([], ['--console-ports', '11000-24999']);
  try {
    const { file } = await writeSwitchedLab(server.directory, MOST_PCS);
    await sleep(1000);
    const used = await processorOf(server);
    const reader = readAll(`${server.url}/v2/version`);
    load.push(await timed(() => server.call('POST', '/v2/projects/load', { path: file })));
    longest.push((await reader.stop()).at(-1));
    const spent = await processorOf(server);
    if (spent !== null) processor.push((spent - used) * 1000);
  } finally {
    await server.stop();
  }
};

const rowsOf = (pcs, seconds, { load, loadReads, start, stop, reads, processor, memory, idle }) => {
  const target = `(target ${seconds * 1000})`;
  const what = `${pcs.toLocaleString('en')} PCs`;
  const rows = [
    {
      what: `load of ${what}${pcs === 1000 ? ', 50 switches, 1,050 links (target 1000)' : ''}`,
      unit: 'ms',
      values: load,
    },
    { what: 'a GET meanwhile, 99 of 100 (target 20)', unit: 'ms', values: loadReads },
    { what: `start of ${what} ${target}`, unit: 'ms', values: start },
    { what: `stop of ${what} ${target}`, unit: 'ms', values: stop },
    { what: 'a GET meanwhile, 99 of 100 (target 20)', unit: 'ms', values: reads },
    { what: `processor time of both, for each of ${what}`, unit: 'ms', values: processor },
  ];
  if (memory.length > 0)
    rows.push({ what: `memory of each of ${what}, all processes (target 60)`, unit: 'KB', values: memory });
  if (idle.length > 0) rows.push({ what: `processor for ${what}, idle (target 2)`, unit: '%', values: idle });
  return rows;
};

const once = async (pcs, figures, boots, settles) => {
  const begin = performance.now();
  const server = await startServer();
  boots.push(performance.now() - begin);
  try {
    const { project_id, file, node_ids } = await writeSwitchedLab(server.directory, pcs);
    const project = `/v2/projects/${project_id}`;
    const loading = readAll(`${server.url}/v2/version`);
    figures.load.push(await timed(() => server.call('POST', '/v2/projects/load', { path: file })));
    figures.loadReads.push(of99(await loading.stop()));
    const used = await processorOf(server);
    const reader = readAll(`${server.url}${project}/nodes/${node_ids[0]}`);
    figures.start.push(await timed(() => server.call('POST', `${project}/nodes/start`)));
    let settled = null;
    if (settles) {
      reader.pause();
      settled = await settle(server, figures);
      reader.resume();
    }
    figures.stop.push(await timed(() => server.call('POST', `${project}/nodes/stop`)));
    figures.reads.push(of99(await reader.stop()));
    const spent = await processorOf(server);
    if (spent !== null) figures.processor.push(((spent - used) * 1000) / pcs);
    if (settled !== null) figures.memory.push(((settled - (await withoutLab(server, project))) * 1024 * 1.024) / pcs);
  } finally {
    await server.stop();
  }
};

/** Memory of the lab while it rests, in MiB. */
const settle = async (server, figures) => {
  await sleep(SETTLING_MS);
  const memory = await memoryOf(server);
  const used = await processorOf(server);
  await sleep(IDLE_MS);
  const spent = await processorOf(server);
  if (spent !== null) figures.idle.push(((spent - used) / (IDLE_MS / 1000)) * 100);
  return memory;
};

/** A server that has just begun holds more: what it began with has not been collected yet. */
const withoutLab = async (server, project) => {
  await server.call('DELETE', project);
  await sleep(SETTLING_MS);
  return memoryOf(server);
};

/** Reads one after another, 2 ms apart, over one connection; `stop` resolves with their times, the shortest first. */
const readAll = (url) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times = [];
  let state = 'on';
  const loop = async () => {
    while (state !== 'over') {
      if (state === 'on') times.push(await timed(() => read(url, agent)));
      await sleep(2);
    }
  };
  const running = loop();
  return {
    pause: () => (state = 'paused'),
    resume: () => (state = 'on'),
    async stop() {
      state = 'over';
      await running;
      agent.destroy();
      return times.sort((a, b) => a - b);
    },
  };
};

/** The time within which 99 of 100 were answered. */
const of99 = (times) => times[Math.floor(times.length * 0.99)] ?? 0;

const read = (url, agent) =>
  new Promise((resolve, reject) => {
    get(url, { agent }, (answer) => answer.resume().once('end', resolve)).once('error', reject);
  });

const timed = async (work) => {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
};
