import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { endConnections, openLabs, record } from '../scale/classroom.mjs';
import { COSTS, DEFAULTS, expected, plan } from '../scale/model.mjs';
import { ratesOf, replay } from '../scale/replay.mjs';
import { describe } from '../scale/text.mjs';
import { memoryOf, processorOf, startServer } from '../server.mjs';
import { percentile } from '../statistics.mjs';

/** 240 labs with two feeds each are nearly the listeners that a server takes. The whole recording is replayed seven times, or once. */
const FULL = {
  ...{ students: 30, nodes: 30, minutes: 3, recordSeconds: 20, labs: 240, seconds: 30, faster: 42 },
  ...{ settleMs: 8_000, started: 10, listeners: 200, updates: 2_000, restarts: 200, commands: 2_000 },
};
const QUICK = {
  ...{ students: 4, nodes: 10, minutes: 3, recordSeconds: 3, labs: 8, seconds: 3, faster: 60 },
  ...{ settleMs: 500, started: 4, listeners: 40, updates: 100, restarts: 10, commands: 100 },
};
/** Ports for the consoles of all labs, below those that the system gives to connections. */
const CONSOLES = ['--console-ports', '10000-29999', '--auto-close-grace', '600'];
const SEED = 11;

/**
 * The model of a school, and a check of it: a recorded class, replayed by many more students and faster against one server. A recording
 * of a real class can be given as TOPOLOG_BENCH_RECORDING.
 */
export const scale = async ({ quick }) => {
  const sizes = { ...(quick ? QUICK : FULL) };
  sizes.labs = Number(process.env.TOPOLOG_BENCH_LABS ?? sizes.labs);
  console.log(`${describe(plan())}\n`);
  try {
    const recording = await recorded(sizes);
    const now = await costs(sizes);
    return [...costRows(now), ...(await simulated(recording, { ...sizes, now }))];
  } finally {
    endConnections();
  }
};

const recorded = async ({ students, nodes, minutes, recordSeconds }) => {
  const given = process.env.TOPOLOG_BENCH_RECORDING;
  if (given !== undefined) return JSON.parse(await readFile(given, 'utf8'));
  const server = await startServer([], CONSOLES);
  try {
    return await record(server, { students, nodes, minutes, seconds: recordSeconds, seed: SEED });
  } finally {
    await server.stop();
  }
};

const simulated = async (recording, sizes) => {
  const { nodes, labs: count, seconds, faster, settleMs, now } = sizes;
  const rates = ratesOf(recording, DEFAULTS);
  const server = await startServer([], CONSOLES);
  try {
    const labs = await openLabs(server, { students: count, nodes });
    await Promise.all(labs.map((lab) => lab.listen(DEFAULTS.listeners)));
    const { ms: start_ms, processor_ms: start_processor_ms } = await startAll(server, labs, settleMs);
    const memory_mib = await memoryOf(server);
    await Promise.all(labs.map((lab) => lab.openConsole()));
    const position = async () => (await server.call('GET', '/v2/health')).log.position;
    const [used, first] = [await processorOf(server), await position()];
    for (const lab of labs) lab.times = [];
    const { problems, seconds: took } = await replay(recording, { labs, seconds, faster, rates });
    if (problems.length > 0) throw new Error(`${problems.length} requests failed, the first one: ${problems[0]}`);
    const measured = {
      ...{ start_ms, start_processor_ms, memory_mib },
      processor: ((await processorOf(server)) - used) / took,
      appends: ((await position()) - first) / took,
      p99_ms: percentile(
        labs.flatMap(({ times }) => times),
        0.99,
      ),
    };
    const students = count * faster;
    const listeners = count * DEFAULTS.listeners;
    const modelled = expected({ labs: count, nodes, students, rates, listeners }, now);
    for (const lab of labs) lab.leave();
    return rowsOf({ measured, modelled, students, labs: count, nodes });
  } finally {
    await server.stop();
  }
};

/** At the same moment; processor until they have settled. */
const startAll = async (server, labs, settleMs) => {
  const before = await processorOf(server);
  const begin = performance.now();
  await Promise.all(labs.map((lab) => lab.start()));
  const ms = performance.now() - begin;
  await sleep(settleMs);
  return { ms, processor_ms: ((await processorOf(server)) - before) * 1000 };
};

const rowsOf = ({ measured, modelled, students, labs, nodes }) => {
  const number = (n) => n.toLocaleString('en-US');
  const row = (what, unit, name, factor = 1) => ({
    ...{ what, unit, values: [measured[name] * factor] },
    ...{ limit: 'the model with these costs', limits: [modelled[name] * factor] },
  });
  return [
    row(`${number(labs)} students start ${nodes} nodes each at the same moment`, 'ms', 'start_ms'),
    row('processor of server and fabric for that', 'ms', 'start_processor_ms'),
    row('memory of both after that', 'MiB', 'memory_mib'),
    row(`appends of ${number(students)} students at work on one server`, '/s', 'appends'),
    row('processor of both for that', '%', 'processor', 100),
    row('time of a change meanwhile, 99 of 100', 'ms', 'p99_ms'),
  ];
};

/** What a student's doings cost one by one, in these minutes and on this machine, beside what the model has; and these costs by name. */
const costs = async (sizes) => {
  const server = await startServer([], CONSOLES);
  try {
    const [lab, ...others] = await openLabs(server, { students: sizes.started + 1, nodes: 30 });
    await lab.start();
    const starts = await startAll(server, others, sizes.settleMs);
    const started = sizes.started * 30;
    const [start_ms, start_processor_ms] = [starts.ms / started, starts.processor_ms / started];
    const each = (times, act) => processorForEach(server, times, act);
    const update_us = await each(sizes.updates, () => lab.do('draw', 0));
    const update_p99_ms = percentile(lab.times, 0.99);
    const read_us = await each(sizes.updates, () => lab.read());
    const restart = () => lab.do('stop', 1).then(() => lab.do('start', 1));
    const restart_processor_ms = (await each(sizes.restarts, restart)) / 1e3;
    const command_us = await processorOfCommands(server, lab, sizes.commands);
    await sleep(sizes.settleMs);
    const memory = await memoryOf(server);
    // Of the project alone.
    for (let n = 0; n < sizes.listeners; n++) await lab.listen(1);
    await sleep(sizes.settleMs);
    const listener_kib = (((await memoryOf(server)) - memory) * 1024) / sizes.listeners;
    const frame_us = ((await each(sizes.updates, () => lab.do('draw', 0))) - update_us) / sizes.listeners;
    lab.leave();
    return {
      ...{ start_ms, start_processor_ms, restart_processor_ms },
      ...{ update_us, update_p99_ms, read_us, command_us, frame_us, listener_kib },
    };
  } finally {
    await server.stop();
  }
};

const UNITS = { us: 'µs', ms: 'ms', kib: 'KiB' };

const costRows = (now) =>
  Object.entries(now).map(([name, value]) => ({
    ...{ what: COSTS[name].what, unit: UNITS[name.split('_').at(-1)], values: [value] },
    ...{ limit: 'bench/scale/costs.json', limits: [COSTS[name].value] },
  }));

/** In µs, of server and fabric. */
const processorForEach = async (server, times, act) => {
  for (let n = 0; n < times / 4; n++) await act();
  const before = await processorOf(server);
  for (let n = 0; n < times; n++) await act();
  return (((await processorOf(server)) - before) * 1e6) / times;
};

/** One after the other, each when the console has answered the one before. */
const processorOfCommands = async (server, lab, times) => {
  const socket = connect(await lab.consolePort(), '127.0.0.1');
  await once(socket, 'connect');
  const prompt = />\s*$/;
  let text = '';
  let answered = () => undefined;
  socket.on('data', (chunk) => {
    text = (text + chunk.toString('latin1')).slice(-200);
    if (prompt.test(text)) answered();
  });
  const command = () => {
    const done = new Promise((resolve) => (answered = resolve));
    text = '';
    socket.write('show ip\r\n');
    return done;
  };
  try {
    return await processorForEach(server, times, command);
  } finally {
    socket.destroy();
  }
};
