import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ethernetHub } from '../../../src/fabric/models/switches/ethernet-hub.ts';
import { hostMac } from '../../../src/fabric/models/host-mac.ts';
import { host } from '../../../src/fabric/models/host.ts';
import { models } from '../../../src/fabric/models/index.ts';
import { simulated } from '../../../src/fabric/models/simulated.ts';
import { traceTool } from '../../../src/fabric/models/trace-tool.ts';
import type { FabricEvent } from '../../../src/fabric/protocol.ts';
import { type Bench, type BenchNode, createBench, openConsole } from './bench.ts';
import { createDnsServer, SERVER } from './test-servers.ts';
import { createTestRouter } from './test-router.ts';

type Finished = Extract<FabricEvent, { type: 'trace.finished' }>;

/** Lets time pass until the node has traced. The log is written to a real disk, which the manual clock does not wait for. */
async function finished(bench: Bench, node: BenchNode): Promise<Finished> {
  for (let steps = 0; steps < 1000; steps++) {
    await bench.clock.run(100);
    const event = node.events.shift();
    if (event?.type === 'trace.finished') return event;
    await sleep(1);
  }
  throw new Error('no trace finished');
}

const hops = (event: Finished): (string | null)[] => event.hops.map((hop) => hop.address);

describe('trace tool', () => {
  it('traces over a router, writes its log and stays on the network', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'topolog-trace-'));
    try {
      const bench = createBench();
      const config = { ip_address: '10.0.0.5/24 10.0.0.254', destination: '10.0.1.2' };
      const tool = bench.node(traceTool, config, 1, { directory: join(directory, 'node') });
      const [router, target] = [createTestRouter(['10.0.0.254', '10.0.1.254']), bench.host(2)];
      bench.join(tool.port(0), router.plug(0));
      bench.join(target.plug, router.plug(1));
      await bench.address(target, '10.0.1.2/24', '10.0.1.254');
      const event = await finished(bench, tool);
      assert.deepEqual([event.destination, event.reached, event.node_id], ['10.0.1.2', true, 'n1']);
      assert.deepEqual(hops(event), ['10.0.0.254', '10.0.1.2']);
      const log = await readFile(join(directory, 'node', 'trace.log'), 'utf8');
      assert.match(
        log,
        /^trace from 10\.0\.0\.5\/24 to 10\.0\.1\.2 \(10\.0\.1\.2\)\n 1 {2}10\.0\.0\.254 {2}0\.000 ms\n/,
      );
      assert.match(log, /\nreached\n$/);
      const ping = target.probe('10.0.0.5', { protocol: 'icmp', identifier: 1, sequence: 1 });
      assert.equal((await bench.clock.until(ping)).kind, 'reply');
      tool.model.stop();
      await bench.clock.run(0);
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it('looks its destination up by name', async () => {
    const bench = createBench();
    const config = { ip_address: '10.0.0.5', default_destination: 'www.lab', dns: [SERVER] };
    const tool = bench.node(traceTool, config, 1);
    const server = createDnsServer({ 'www.lab': '10.0.0.2' });
    const [hub, target] = [bench.node(ethernetHub, {}, 3), bench.host(2)];
    bench.join(tool.port(0), hub.port(0));
    bench.join(target.plug, hub.port(1));
    bench.join(server.plug, hub.port(2));
    await bench.address(target, '10.0.0.2');
    const event = await finished(bench, tool);
    assert.deepEqual([event.reached, hops(event)], [true, ['10.0.0.2']]);
  });

  it('ends without a hop when the name is unknown or the address is taken', async () => {
    const bench = createBench();
    const unknown = bench.node(traceTool, { ip_address: '10.0.0.5', destination: 'www.lab' }, 1);
    assert.deepEqual((await finished(bench, unknown)).hops, []);
    const owner = bench.host(2);
    await bench.address(owner, '10.0.0.5');
    const late = bench.node(traceTool, { ip_address: '10.0.0.5', destination: '10.0.0.9' }, 1);
    bench.join(late.port(0), owner.plug);
    assert.deepEqual((await finished(bench, late)).hops, []);
  });

  it('ends at once when the first host of the subnet is no gateway', async () => {
    const bench = createBench();
    const tool = bench.node(traceTool, { ip_address: '10.0.0.5', destination: '192.0.2.1' }, 1);
    assert.deepEqual((await finished(bench, tool)).hops, [{ ttl: 1, address: null, rtt_ms: null }]);
  });

  it('asks up to 30 hops where nobody says anything', async () => {
    const bench = createBench();
    const tool = bench.node(traceTool, { ip_address: '10.0.0.5/24 10.0.0.2', destination: '192.0.2.1' }, 1);
    const silent = bench.host(2);
    bench.join(tool.port(0), silent.plug);
    await bench.address(silent, '10.0.0.2');
    const event = await finished(bench, tool);
    assert.deepEqual([event.reached, event.hops.length], [false, 30]);
  });

  it('traces again when it is given another destination', async () => {
    const bench = createBench();
    const config = { ip_address: '10.0.0.5', destination: '10.0.0.2' };
    const tool = bench.node(traceTool, config, 1);
    const target = bench.host(2);
    bench.join(tool.port(0), target.plug);
    await bench.address(target, '10.0.0.2');
    assert.equal((await finished(bench, tool)).destination, '10.0.0.2');
    tool.model.configure({ ...tool.spec, config: { ...config, destination: '10.0.0.3' } });
    assert.equal((await finished(bench, tool)).destination, '10.0.0.3');
  });

  it('refuses to start without an address or a destination', () => {
    const bench = createBench();
    assert.throws(() => bench.node(traceTool, { destination: '10.0.0.2' }, 1), /ip_address is ""/);
    assert.throws(() => bench.node(traceTool, { ip_address: '10.0.0.1' }, 1), /destination is empty/);
    const gateway = { ip_address: '10.0.0.1/24 224.0.0.1', destination: '10.0.0.2' };
    assert.throws(() => bench.node(traceTool, gateway, 1), /gateway is "224.0.0.1"/);
  });
});

const console = { host: '127.0.0.1', port: 0, range: [5000, 5001] as [number, number] };

describe('simulated node', () => {
  it('swallows frames and says what it is', async () => {
    const bench = createBench();
    const node = bench.node(simulated, {}, 2, { name: 'VM1', console });
    const peer = bench.join(bench.host(1).plug, node.port(0));
    const terminal = openConsole(node.model.console);
    node.port(0).receive(new Uint8Array(60));
    await bench.clock.run(5000);
    terminal.type('status\r');
    assert.match(
      terminal.text(),
      /VM1 is simulated: no emulator runs\. Up 5 s, 2 ports, 1 frames received and dropped/,
    );
    terminal.type('help\rreboot\r');
    assert.match(terminal.text(), /"reboot" does nothing: VM1 is simulated/);
    assert.deepEqual(peer, []);
  });
});

describe('embedded host node', () => {
  it('has a shell on its console and answers on its port', async () => {
    const bench = createBench();
    const node = bench.node(host, { mac: '00:50:79:66:68:0b' }, 1, { name: 'PC1', console });
    const terminal = openConsole(node.model.console);
    const peer = bench.host(2);
    const frames = bench.join(node.port(0), peer.plug);
    await bench.clock.run(1000);
    assert.match(terminal.text(), /PC1> $/);
    terminal.type('ip 10.0.0.1/24\r');
    await bench.clock.run(2000);
    await bench.address(peer, '10.0.0.2/24');
    const ping = peer.probe('10.0.0.1', { protocol: 'icmp', identifier: 1, sequence: 1 });
    assert.equal((await bench.clock.until(ping)).kind, 'reply');
    assert.ok(frames.length > 0);
    node.model.stop();
    assert.equal(bench.clock.waiting, 0);
  });

  it('takes a new name while it runs, but no new MAC', async () => {
    const bench = createBench();
    const node = bench.node(host, {}, 1, { name: 'PC1', console });
    node.model.configure({ ...node.spec, name: 'PC2' });
    assert.throws(
      () => node.model.configure({ ...node.spec, config: { mac: '02:00:00:00:00:01' } }),
      /mac can be changed/,
    );
    node.model.stop();
    await bench.clock.run(0);
  });
});

describe('MAC address of an embedded host', () => {
  const spec = (node_id: string, mac?: unknown) => {
    const { spec } = createBench().node(simulated, mac === undefined ? {} : { mac }, 1, { node_id });
    return spec;
  };

  it('is the same at every start and another for every node of a large lab', () => {
    const ids = Array.from({ length: 300 }, (_, n) => `6f5902ac-0000-4000-8000-${n.toString(16).padStart(12, '0')}`);
    const macs = ids.map((id) => hostMac(spec(id)));
    assert.equal(new Set(macs).size, ids.length);
    assert.deepEqual(
      macs,
      ids.map((id) => hostMac(spec(id))),
    );
    for (const mac of macs) assert.match(mac, /^00:50:79:/);
  });

  it('can be given, as that of one host', () => {
    assert.equal(hostMac(spec('x', '0200.0000.0001')), '02:00:00:00:00:01');
    for (const mac of ['ff:ff:ff:ff:ff:ff', '00:00:00:00:00:00', 'x', 5]) {
      assert.throws(() => hostMac(spec('x', mac)), /mac is .*; it must be the MAC address of one host/);
    }
  });
});

describe('table of models', () => {
  it('has one for every name', () => {
    assert.deepEqual(Object.keys(models).sort(), [
      ...['atm_switch', 'ethernet_hub', 'ethernet_switch', 'frame_relay_switch', 'host', 'simple_router'],
      ...['simulated', 'trace_tool'],
    ]);
  });
});
