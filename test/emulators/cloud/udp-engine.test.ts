import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { Engine, EngineContext, KindNode } from '../../../src/emulators/kit/contract.ts';
import { engineLacks } from '../../../src/emulators/cloud/requirements.ts';
import { createPlumbing, type Plumbing } from '../../../src/fabric/client/plumbing.ts';
import { createKinds } from '../../../src/emulators/registry.ts';
import { type FabricFixture, fabricFixture } from '../../contract/fabric-fixture.ts';
import { frameWith, peer, type Peer } from '../datagrams.ts';
import { nodeOf, PROJECT_ID } from '../sample.ts';
import { freePorts } from '../../support/free-port.ts';

const found = createKinds().get('cloud');
assert.ok(found);
const kind = found;
const never = new AbortController().signal;
const lacks = await engineLacks('tap');

describe('a cloud with UDP ports', () => {
  let fixture: FabricFixture;
  let context: EngineContext;
  let engine: Engine;
  let plumbing: Plumbing;
  const peers: Peer[] = [];
  const newPeer = async (): Promise<Peer> => {
    const made = await peer();
    peers.push(made);
    return made;
  };
  /** A cloud with as many ports, and what is outside of each. */
  const cloudOf = async (count: number): Promise<{ node: KindNode; lports: number[]; outside: Peer[] }> => {
    const lports = await freePorts(count);
    const outside = await Promise.all(lports.map(newPeer));
    const ports_mapping = lports.map((lport, n) => ({
      name: `out${n}`,
      port_number: n,
      type: 'udp',
      lport,
      rhost: '127.0.0.1',
      rport: outside[n]?.port,
    }));
    const node = nodeOf(kind, { ports_mapping }, { node_id: randomUUID() });
    return { node, lports, outside };
  };
  /** Stands for what the lab has on the port: an NIO on the cloud's own port. */
  const inside = async (node: KindNode, port_number: number): Promise<{ lab: Peer; lport: number }> => {
    const lab = await newPeer();
    const [lport = 0] = await freePorts(1);
    const nio = { type: 'nio_udp', lport, rhost: '127.0.0.1', rport: lab.port };
    await plumbing.putNio({ node_id: node.node_id, project_id: PROJECT_ID, adapter_number: 0, port_number, nio });
    return { lab, lport };
  };

  before(async () => {
    fixture = await fabricFixture();
    context = {
      fabric: await fixture.connect(),
      consoles: { host: '127.0.0.1', range: [21_000, 21_999] },
      mark: '',
      dataDir: '/nowhere',
      filesDir: '/nowhere',
    };
    plumbing = createPlumbing(() => context.fabric);
    const factory = kind.engines.find((one) => one.name === 'udp');
    assert.ok(factory);
    engine = factory.create(context);
  });
  after(async () => {
    await engine.close();
    await fixture.close();
    await Promise.all(peers.map((one) => one.close()));
  });

  it('carries frames both ways unchanged, tagged ones too, and only between a port and its peer', async () => {
    const { node, lports, outside } = await cloudOf(2);
    await engine.start(node, {}, never);
    const [first, second] = [await inside(node, 0), await inside(node, 1)];
    for (const frame of [frameWith('out'), frameWith('tagged', 7), frameWith('tagged otherwise', 2)]) {
      first.lab.send(frame, first.lport);
      assert.deepEqual(await outside[0]?.next(), frame);
      outside[1]?.send(frame, lports[1] ?? 0);
      assert.deepEqual(await second.lab.next(), frame);
    }
    assert.deepEqual([first.lab.waiting(), outside[1]?.waiting()], [0, 0]);
    await plumbing.removeProject(PROJECT_ID);
  });

  it('changes its peers while it runs', async () => {
    const { node, lports } = await cloudOf(1);
    await engine.start(node, {}, never);
    const { lab, lport } = await inside(node, 0);
    const other = await newPeer();
    const [mapping] = node.properties['ports_mapping'] as object[];
    const changed = nodeOf(kind, { ports_mapping: [{ ...mapping, rport: other.port }] }, { node_id: node.node_id });
    await engine.update(changed, never);
    lab.send(frameWith('to the new peer'), lport);
    assert.deepEqual(await other.next(), frameWith('to the new peer'));
    other.send(frameWith('and back'), lports[0] ?? 0);
    assert.deepEqual(await lab.next(), frameWith('and back'));
    await engine.update(nodeOf(kind, {}, { node_id: node.node_id }), never);
    const { cables } = await context.fabric.inventory();
    assert.deepEqual(
      cables.filter((cable) => cable.cable_id.startsWith('cloud:')),
      [],
    );
    await plumbing.removeProject(PROJECT_ID);
  });

  it('starts not at all when one of its UDP ports is taken, and leaves nothing', async () => {
    const { node, outside } = await cloudOf(2);
    const mapping = node.properties['ports_mapping'] as object[];
    const ports_mapping = [mapping[0], { ...mapping[1], lport: outside[0]?.port }];
    const clashing = nodeOf(kind, { ports_mapping }, { node_id: node.node_id });
    await assert.rejects(engine.start(clashing, {}, never), { code: 'conflict' });
    const { nodes, cables } = await context.fabric.inventory();
    assert.deepEqual([nodes, cables], [[], []]);
  });

  it('says what else a port needs: an interface that there is, a device that is one, or another engine', async () => {
    const lacking = async (type: string, name: string): Promise<string> => {
      const ports_mapping = [{ name: 'out', port_number: 0, type, interface: name }];
      const missing = await engine.missing(nodeOf(kind, { ports_mapping }));
      return `${missing?.needs ?? ''}; ${missing?.install ?? ''}`;
    };
    assert.match(await lacking('ethernet', 'nowhere7'), /^the interface nowhere7 for port out of type ethernet; /);
    assert.match(await lacking('ethernet', '../lo'), /^an interface for port out of type ethernet; \.\.\/lo cannot be/);
    assert.match(await lacking('tap', 'lo'), /^a TAP device for port out of type tap; lo is none/);
    // Whatever is missing here comes first: a program, privileges, or only the engine that takes such a port.
    assert.match(await lacking('ethernet', 'lo'), /^(the engine ethernet|socat|root) for .*port out of type ethernet/);
  });

  it(
    'takes no two ports for the same interface',
    { skip: lacks === null ? false : `${lacks.needs} is missing` },
    async () => {
      const port = { name: 'out0', port_number: 0, type: 'tap', interface: 'tap7' };
      const node = nodeOf(kind, { ports_mapping: [port, { ...port, name: 'out1', port_number: 1 }] });
      await assert.rejects(engine.start(node, {}, never), /interface tap7/);
    },
  );
});
