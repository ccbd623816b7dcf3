// What moves inside of the fabric's process: between embedded nodes there are function calls only.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ofBuild } from './fabric-process.mjs';

const PROJECT = '00000000-0000-4000-8000-000000000002';
const FRAMES = 1_000_000;
const PINGS = 2000;

const ARP_REPLY = Buffer.from('0002', 'hex');
const PC_MAC = '02:00:00:00:00:03';
const MACS = [Buffer.from('020000000001', 'hex'), Buffer.from('020000000002', 'hex')];

/** Rows of frames through an embedded switch and of echoes through it, each with `runs` values. */
export const embedded = async (runs) => {
  const bench = await build();
  try {
    const [frames, echoes] = [[], []];
    // The first ones are of code that is not compiled yet.
    for (let run = -2; run < runs; run++) {
      const perSecond = await flood(bench);
      const times = await echo(bench);
      if (run < 0) continue;
      frames.push(perSecond);
      echoes.push(times);
    }
    return [
      { what: 'frames between two ports of an embedded switch (target 3 million)', unit: '/s', values: frames },
      { what: 'ping of an embedded PC through a switch, frames alone (target under 0.1)', unit: 'ms', values: echoes },
    ];
  } finally {
    await bench.close();
  }
};

const build = async () => {
  const [{ createFabric }, { models }] = [
    await ofBuild('src/fabric/process/fabric.js'),
    await ofBuild('src/fabric/models/index.js'),
  ];
  const contexts = new Map();
  const receivers = new Map();
  const simulated = (context) => {
    contexts.set(context.spec.node_id, context);
    return {
      receive: (_adapter, _port, frame) => receivers.get(context.spec.node_id)?.(frame),
      configure: () => undefined,
      console: null,
      stop: () => undefined,
    };
  };
  const noConsole = () => Promise.reject(new Error('there are no consoles here'));
  const fabric = createFabric({ models: { ...models, simulated }, openConsole: noConsole });
  const ok = async (op) => {
    const result = await fabric.perform(op);
    if (!result.ok) throw new Error(result.message);
  };
  const ports = (count) => Array.from({ length: count }, (_, port_number) => ({ adapter_number: 0, port_number }));
  const node = (node_id, model, count, config = {}, directory = null) =>
    ok({
      op: 'node.start',
      node: {
        node_id,
        project_id: PROJECT,
        name: node_id,
        model,
        ports: ports(count),
        console: null,
        directory,
        config,
      },
    });
  const end = (node_id, port_number) => ({ type: 'port', node_id, adapter_number: 0, port_number });
  const cable = (cable_id, a, b) =>
    ok({
      op: 'cable.put',
      cable: { cable_id, project_id: PROJECT, ends: [a, b], suspend: false, filters: {}, seed: 1 },
    });
  const ports_mapping = ports(3).map(({ port_number }) => ({
    port_number,
    name: `e${port_number}`,
    type: 'access',
    vlan: 1,
  }));
  await node('switch', 'ethernet_switch', 3, { ports_mapping });
  for (const [i, name] of ['a', 'b'].entries()) {
    await node(name, 'simulated', 1);
    await cable(`w${i}`, end(name, 0), end('switch', i));
  }
  const directory = await mkdtemp(path.join(tmpdir(), 'topolog-bench-'));
  await writeFile(path.join(directory, 'startup.vpc'), 'ip 10.0.0.3/24\n');
  await node('pc', 'host', 1, { mac: PC_MAC }, directory);
  await cable('w2', end('pc', 0), end('switch', 2));
  return {
    a: contexts.get('a'),
    b: contexts.get('b'),
    receivers,
    ...(await echoFrames(Buffer.from(PC_MAC.replaceAll(':', ''), 'hex'))),
    async close() {
      await fabric.close();
      await rm(directory, { recursive: true });
    },
  };
};

const frameFrom = (from, to) => Buffer.concat([MACS[to], MACS[from], Buffer.from('0800', 'hex'), Buffer.alloc(50)]);

/** Frames a second from a to b, as many at once as the queue is meant for. */
const flood = async ({ a, b, receivers }) => {
  b.send(0, 0, frameFrom(1, 0));
  const frame = frameFrom(0, 1);
  let received = 0;
  let done = () => undefined;
  receivers.set('b', () => {
    if (++received === FRAMES) done();
    else if (received % 512 === 0) burst();
  });
  const burst = () => {
    for (let n = 0; n < 512; n++) a.send(0, 0, frame);
  };
  await new Promise((resolve) => setImmediate(resolve));
  const begin = performance.now();
  const finished = new Promise((resolve) => (done = resolve));
  burst();
  burst();
  await finished;
  const took = performance.now() - begin;
  receivers.delete('b');
  return FRAMES / (took / 1000);
};

/** Median milliseconds from an echo request that leaves one node to the answer of an embedded PC behind the switch. */
const echo = async ({ a, receivers, request, answerArp }) => {
  const times = [];
  const answered = (frame) =>
    new Promise((resolve) => {
      receivers.set('a', (got) => {
        if (got[12] !== 8 || got[13] !== 6) resolve();
        // Not the announcement of its own address.
        else if (got[41] === 1) a.send(0, 0, answerArp(got));
      });
      a.send(0, 0, frame);
    });
  // Until its start-up file has run it has no address.
  for (let up = false; !up;) up = await Promise.race([answered(request).then(() => true), sleep(50, false)]);
  for (let n = 0; n < PINGS; n++) {
    const begin = performance.now();
    await answered(request);
    times.push(performance.now() - begin);
  }
  receivers.clear();
  return times.sort((x, y) => x - y)[PINGS >> 1];
};

/** An Ethernet frame with an echo request of 56 octets from 10.0.0.1 to 10.0.0.3, and the answer to the ARP request it causes. */
const echoFrames = async (pcMac) => {
  const [{ encodeIpv4 }, { encodeIcmp }] = [
    await ofBuild('src/fabric/codecs/ipv4.js'),
    await ofBuild('src/fabric/codecs/icmpv4.js'),
  ];
  const payload = encodeIcmp({ kind: 'echo_request', identifier: 1, sequence: 1, data: Buffer.alloc(56) });
  const none = { trafficClass: 0, identification: 1, dontFragment: false, moreFragments: false, fragmentOffset: 0 };
  const [source, destination] = [0x0a000001, 0x0a000003];
  const packet = encodeIpv4({ ...none, ttl: 64, protocol: 1, source, destination, options: Buffer.alloc(0), payload });
  const type = Buffer.from('0800', 'hex');
  const request = Buffer.concat([pcMac, MACS[0], type, packet]);
  const answerArp = (asked) => {
    const [sender, target] = [asked.subarray(22, 32), asked.subarray(38, 42)];
    return Buffer.concat([asked.subarray(6, 12), MACS[0], asked.subarray(12, 20), ARP_REPLY, MACS[0], target, sender]);
  };
  return { request, answerArp };
};
