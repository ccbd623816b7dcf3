import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { compile } from '../compiled.mjs';
import { addressOf, writeSwitchedLab } from '../lab.mjs';
import { memoryOfEach, processorOf, startServer } from '../server.mjs';

const MACHINES = 10;
const PCS = 2000;
const SWITCHES = 100;
const SWITCHES_EACH = SWITCHES / MACHINES;
const PCS_EACH = PCS / SWITCHES;
/** VLANs of the lab: the switch so many behind another one has the same. */
const VLANS = 50;
const MOST_RUNS = 3;
const PINGS = 5;
/** Until start-up files have run, before memory is looked at. Milliseconds. */
const SETTLING_MS = 5000;
/** Octets of a capture without frames. */
const PCAP_HEADER = 24;
const WINDOW = 64;
const SECONDS = 1;
const FRAME = 64;
/** First of the ports by which frames go in and come out: below those that servers hand out. */
const BASE = 15_000;
/** Longest measurement of all. Milliseconds. */
const LONGEST_MS = 900_000;

const numeral = (n) => n.toLocaleString('en');
const WHAT = `${numeral(PCS)} PCs, ${SWITCHES} switches`;

/**
 * Ten servers, each in a network namespace, all on a bridge; the first of them is the controller, and has its tenth of the lab. Beside
 * it the same lab on one machine. Then frames over a link of two machines beside two relays in C.
 */
export const computes = async ({ runs, nodeFlags }) => {
  const { createMachines, whyNoMachines } = await import(
    pathToFileURL(path.resolve(import.meta.dirname, '../../dist/test/support/machines.js')).href
  );
  const reason = whyNoMachines();
  if (reason !== null) return [{ what: `a lab over ${MACHINES} machines (${reason})`, unit: '', values: [] }];
  const network = createMachines(MACHINES);
  // What is interrupted leaves no namespace behind either.
  const ended = (signal) => {
    network.remove();
    process.exit(signal === 'SIGINT' ? 130 : 143);
  };
  const late = setTimeout(() => {
    console.error(`computes takes longer than ${LONGEST_MS / 60_000} minutes and is given up`);
    network.remove();
    process.exit(1);
  }, LONGEST_MS);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, ended);
  try {
    const figures = {};
    const add = (name, value) => (figures[name] ??= []).push(value);
    for (let run = 0; run < Math.min(runs, MOST_RUNS); run++) {
      await onOne(network.machines[0], add);
      await onAll(network.machines, add, nodeFlags);
    }
    const frames = await overOneLink(network, runs);
    return [...rowsOf(figures), ...frames];
  } finally {
    clearTimeout(late);
    network.remove();
    for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, ended);
  }
};

const serverAt = ({ address, prefix }, nodeFlags = []) =>
  startServer(nodeFlags, ['--host', address, '--insecure', '--local', '--log-level', 'error'], prefix);

const timed = async (work) => {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
};

/** Load, start and stop of a lab; `between` while it runs. The first of the servers is the controller. */
const perform = async (servers, { project_id, file }, note, between) => {
  const [server] = servers;
  const project = `/v2/projects/${project_id}`;
  note('load', await timed(() => server.call('POST', '/v2/projects/load', { path: file })));
  const before = await Promise.all(servers.map(processorOf));
  note('start', await timed(() => server.call('POST', `${project}/nodes/start`)));
  const spent = (await Promise.all(servers.map(processorOf))).map((seconds, n) => (seconds - before[n]) * 1000);
  note('processor of the start', spent[0]);
  note(
    'processor of the start elsewhere',
    spent.slice(1).reduce((sum, ms) => sum + ms, 0),
  );
  await between(project);
  note('stop', await timed(() => server.call('POST', `${project}/nodes/stop`)));
};

const processorOfAll = async (servers) => {
  const each = await Promise.all(servers.map(processorOf));
  return each.reduce((sum, seconds) => sum + seconds, 0);
};

const onOne = async (machine, add) => {
  const server = await serverAt(machine);
  try {
    const lab = await writeSwitchedLab(server.directory, PCS, { ring: SWITCHES });
    const before = await processorOf(server);
    const note = (name, value) => add(`one ${name}`, value);
    await perform([server], lab, note, async () => {
      await sleep(SETTLING_MS);
      const { server: own, fabric } = await memoryOfEach(server);
      note('memory', own + fabric);
    });
    note('processor', (await processorOf(server)) - before);
  } finally {
    await server.stop();
  }
};

const onAll = async (machines, add, nodeFlags) => {
  const servers = [];
  try {
    for (const machine of machines) servers.push(await serverAt(machine, nodeFlags));
    const [controller] = servers;
    for (const [n, { address }] of machines.entries())
      if (n > 0)
        await controller.call('POST', '/v2/computes', {
          ...{ compute_id: `m${n}`, name: `m${n}`, protocol: 'http', host: address, port: servers[n].port },
        });
    const at = (k) => {
      const n = Math.floor(k / SWITCHES_EACH);
      return n === 0 ? 'local' : `m${n}`;
    };
    const lab = await writeSwitchedLab(controller.directory, PCS, { ring: SWITCHES, at });
    const before = await processorOfAll(servers);
    await perform(servers, lab, add, async (project) => {
      await sleep(SETTLING_MS);
      const each = await Promise.all(servers.map(memoryOfEach));
      add('memory of the controller', each[0].server);
      add('memory of its fabric', each[0].fabric);
      for (const { server, fabric } of each.slice(1)) {
        add('memory of a compute', server);
        add('memory of a fabric', fabric);
      }
      await checkStates(servers, project, 'started');
      await acrossMachines({ controller, machines, lab, project }, add);
    });
    await checkStates(servers, `/v2/projects/${lab.project_id}`, 'stopped');
    add('processor', (await processorOfAll(servers)) - before);
  } finally {
    await stopAll(servers);
  }
};

/** The controller stops its nodes at the others first. */
const stopAll = async ([controller, ...others]) => {
  await controller?.stop();
  await Promise.all(others.map((server) => server.stop()));
};

/** Each compute has its share, in that state; switches always run. */
const checkStates = async (servers, project, state) => {
  for (const [n, server] of servers.entries()) {
    const where = n === 0 ? `${project}/nodes` : project.replace('/v2/', '/v2/compute/').concat('/nodes');
    const nodes = (await server.call('GET', where)).filter(({ node_type }) => node_type !== 'ethernet_switch');
    const there = n === 0 ? nodes.filter(({ compute_id }) => compute_id === 'local') : nodes;
    const wrong = there.filter(({ status }) => status !== state).length;
    if (there.length !== PCS / MACHINES || wrong > 0)
      throw new Error(`machine ${n} has ${there.length} PCs, ${wrong} of them not ${state}`);
  }
};

/** A ping from the first machine to the sixth, and a capture on the first link between two machines. */
const acrossMachines = async ({ controller, machines, lab, project }, add) => {
  const link = `${project}/links/${linkBetween(lab)}`;
  const { capture_file_path: file } = await controller.call('POST', `${link}/start_capture`, {});
  const { console: port } = await controller.call('GET', `${project}/nodes/${lab.node_ids[0]}`);
  for (const ms of await pings({ host: machines[0].address, port, to: addressOf(VLANS * PCS_EACH) })) add('ping', ms);
  await controller.call('POST', `${link}/stop_capture`, {});
  const { size } = await stat(file);
  if (size <= PCAP_HEADER) throw new Error(`the capture has ${size} octets`);
  add('captured', size);
};

/** The link of the last switch of the first machine and the first switch of the second. */
const linkBetween = ({ links, switch_ids }) => {
  const ends = [switch_ids[SWITCHES_EACH - 1], switch_ids[SWITCHES_EACH]];
  return links.find(({ nodes }) => ends.every((id) => nodes.some(({ node_id }) => node_id === id))).link_id;
};

/** Times in milliseconds, as the console of a PC shows them; the first packet waits for ARP and does not count. */
const pings = async ({ host, port, to }) => {
  const socket = connect({ host, port });
  await once(socket, 'connect');
  socket.setTimeout(30_000, () => socket.destroy());
  socket.write(`ping ${to} -c ${PINGS + 1}\r\n`);
  let seen = '';
  for await (const chunk of socket) {
    seen += chunk.toString('latin1');
    if (new RegExp(`(seq=|unreachable|timeout)[^]*seq=${PINGS + 1} .*\\r\\n`).test(seen)) break;
  }
  socket.destroy();
  const times = [...seen.matchAll(/time=([\d.]+) ms/g)].map(([, ms]) => Number(ms));
  if (times.length < 2) throw new Error(`${to} does not answer: ${seen}`);
  return times.slice(1);
};

const rowsOf = (figures) => {
  const beside = (name, unit) => ({
    unit,
    values: figures[name],
    limit: 'on one machine',
    limits: figures[`one ${name}`],
  });
  const alone = (what, name, unit) => ({ what, unit, values: figures[name] });
  return [
    { what: `load of ${WHAT} on ${MACHINES} machines`, ...beside('load', 'ms') },
    { what: `start of ${WHAT} on ${MACHINES} machines (target 1.5)`, ...beside('start', 'ms') },
    { what: 'processor time of that start: the controller and its fabric', ...beside('processor of the start', 'ms') },
    alone('processor time of that start: the nine others and their fabrics', 'processor of the start elsewhere', 'ms'),
    { what: 'stop of them', ...beside('stop', 'ms') },
    { what: 'processor time of all processes, load to stop', ...beside('processor', 's') },
    alone('memory of the controller', 'memory of the controller', 'MiB'),
    alone('memory of its fabric', 'memory of its fabric', 'MiB'),
    alone('memory of each other server', 'memory of a compute', 'MiB'),
    alone('memory of each other fabric', 'memory of a fabric', 'MiB'),
    alone('memory of both processes, all on one machine', 'one memory', 'MiB'),
    alone('ping over 50 switches and five machines', 'ping', 'ms'),
    alone('captured of that on a link of two machines', 'captured', 'octets'),
  ];
};

/** Frames from this machine into the first, over a link to the second, and back. Beside it the same way through two relays in C. */
const overOneLink = async ({ own, machines }, runs) => {
  const programs = await compile(['relay', 'frames']);
  if (programs === null) return [{ what: 'frames over a link of two machines (they need cc)', unit: '', values: [] }];
  const [a, b] = machines;
  const values = [];
  const limits = [];
  try {
    for (let run = 0; run < runs; run++) {
      limits.push(await throughRelays(programs, { own, a, b }));
      values.push(await throughServers(programs, { own, a, b }));
    }
  } finally {
    await programs.remove();
  }
  return [
    {
      ...{ what: `${FRAME}-octet frames over a link of two machines`, unit: 'frames/s', values },
      ...{ limit: 'two relays in C', limits, target: 0.85 },
    },
  ];
};

const measured = async (programs, { own, a, b }) => {
  const numbers = [BASE, 1, FRAME, WINDOW, SECONDS, 0].map(String);
  const args = [...numbers, own, a.address, b.address, String(BASE + 2)];
  return JSON.parse((await promisify(execFile)(programs.frames, args)).stdout).per_second;
};

const throughRelays = async (programs, place) => {
  const { own, a, b } = place;
  const relays = [
    [a, [BASE, 1, a.address, own, b.address]],
    [b, [BASE + 2, 1, b.address, a.address, own]],
  ].map(([{ prefix }, args]) => {
    const [command, ...rest] = [...prefix, programs.relay, ...args.map(String)];
    return spawn(command, rest, { stdio: ['ignore', 'pipe', 'inherit'] });
  });
  try {
    await Promise.all(relays.map(({ stdout }) => once(stdout, 'data')));
    return await measured(programs, place);
  } finally {
    await Promise.all(
      relays.map(async (relay) => {
        const ended = once(relay, 'exit');
        relay.kill();
        await ended;
      }),
    );
  }
};

/** At each machine a cloud by which frames come in and go out, and the end of a tunnel that a link would have there. */
const throughServers = async (programs, place) => {
  const { own, a, b } = place;
  const servers = [await serverAt(a), await serverAt(b)];
  try {
    await halfLink(servers[0], [BASE + 1, own, BASE], [BASE + 2, b.address, BASE + 3]);
    await halfLink(servers[1], [BASE + 4, own, BASE + 5], [BASE + 3, a.address, BASE + 2]);
    await measured(programs, place);
    return await measured(programs, place);
  } finally {
    await stopAll(servers);
  }
};

const udp = ([lport, rhost, rport]) => ({ lport, rhost, rport });

/** By the requests of a controller. */
const halfLink = async ({ call }, outside, tunnel) => {
  const { project_id } = await call('POST', '/v2/compute/projects', { name: 'frames', project_id: randomUUID() });
  const nodes = `/v2/compute/projects/${project_id}/cloud/nodes`;
  const ports_mapping = [{ name: 'outside', port_number: 0, type: 'udp', ...udp(outside) }];
  const { node_id } = await call('POST', nodes, { name: 'Cloud1', ports_mapping });
  await call('POST', `${nodes}/${node_id}/adapters/0/ports/0/nio`, { type: 'nio_udp', ...udp(tunnel) });
};
