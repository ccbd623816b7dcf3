import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { access, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { hostname, userInfo } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Engine, EngineContext, Exit, KindNode, Port, Properties } from '../../../src/emulators/kit/contract.ts';
import { LICENSE } from '../../../src/emulators/switch_router_emulator/license.ts';
import { processesOf } from '../../../src/processes/end.ts';
import { markOf } from '../../../src/processes/marker.ts';
import { createPlumbing } from '../../../src/fabric/client/plumbing.ts';
import { IOU } from '../../../src/emulators/switch_router_emulator/iou-engine.ts';
import { switchRouterEmulator } from '../../../src/emulators/switch_router_emulator/kind.ts';
import { ownApplicationId } from '../../../src/emulators/switch_router_emulator/schema.ts';
import { type FabricFixture, fabricFixture } from '../../contract/fabric-fixture.ts';
import { cannotRunIou } from '../../fakes/iou-here.ts';
import { type FakeImage, installImage } from '../../fakes/iou-image.ts';
import { startupIn } from '../../fakes/iou-nvram.ts';
import { openConsole } from '../../support/console.ts';
import { peer } from '../datagrams.ts';
import { nodeOf, PROJECT_ID } from '../sample.ts';
import { freePorts } from '../../support/free-port.ts';
import { waitFor } from '../../support/wait-for.ts';

const skip = (await cannotRunIou()) ?? false;
const never = (): AbortSignal => new AbortController().signal;
const netio = (id: unknown): string => `/tmp/netio${userInfo().uid}/${String(id)}`;
const KEY = 'fedcba9876543210';
const PROMPT = /Router>$/;

const eventually = (look: () => Promise<boolean>): Promise<unknown> => waitFor(String(look), look);

describe('the engine of IOU, with a fake image', { skip, timeout: 120_000 }, () => {
  let fixture: FabricFixture;
  let context: EngineContext;
  let engine: Engine;
  const exits: Exit[] = [];
  /** Apart from those of tests that run at the same time. */
  let nextId = 100 + (process.pid % 250);

  const create = async (): Promise<Engine> => {
    context = { ...context, fabric: await fixture.connect() };
    const made = IOU.create(context);
    made.onExit((exit) => void exits.push(exit));
    return made;
  };
  const made: KindNode[] = [];
  const node = (given: Properties = {}, changes: Partial<KindNode> = {}): KindNode => {
    const node_id = randomUUID();
    const fresh = nodeOf(
      switchRouterEmulator,
      { ethernet_adapters: 1, serial_adapters: 1, application_id: nextId++, ...given },
      { node_id, name: 'SR1', node_directory: path.join(fixture.directory, node_id), ...changes },
    );
    made.push(fresh);
    return fresh;
  };
  const image = (name: string, how: FakeImage = {}): Properties => {
    installImage(fixture.directory, name, how);
    return { path: name };
  };
  const start = async (of: KindNode, args: Properties = {}) => engine.start(of, args, never());
  const consoleOf = async (started: { console: number | null }) => {
    const console = await openConsole(Number(started.console));
    await console.until(/RETURN to get started|Router>/);
    return console;
  };
  const file = (of: KindNode, name: string): string => path.join(of.node_directory ?? '', name);

  before(async () => {
    fixture = await fabricFixture();
    context = {
      // Of no use once there is an engine.
      fabric: await fixture.connect(),
      consoles: { host: '127.0.0.1', range: [20_200, 20_399] },
      mark: await markOf(fixture.directory),
      dataDir: fixture.directory,
      filesDir: fixture.directory,
    };
    installImage(fixture.directory);
    engine = await create();
  });
  after(async () => {
    // Of tests that have failed.
    for (const one of made) await engine.stop(one, never());
    await engine.close();
    await fixture.close();
  });

  it('says which image is not there, for those who would rather simulate the node', async () => {
    assert.equal(await engine.missing(null), null);
    assert.equal(await engine.incomplete?.(node()), null);
    const lacks = await engine.incomplete?.(node({ path: 'none.bin' }));
    assert.match(`${lacks?.needs} ${lacks?.install}`, /the image none\.bin put the image into .*images\/IOU/);
    await assert.rejects(start(node({ path: 'none.bin' })), { code: 'conflict', message: /none\.bin is not there/ });
  });

  it('is not ready where there is no image at all, and says where one and its licence go', async () => {
    assert.equal(await engine.unprovided?.(), null);
    const dataDir = path.join(fixture.directory, 'bare');
    const bare = IOU.create({ ...context, dataDir, filesDir: dataDir });
    const lacks = await bare.unprovided?.();
    assert.match(lacks?.needs ?? '', /^an image, and the licence/);
    assert.match(lacks?.install ?? '', new RegExp(`${dataDir}/images/IOU and its licence into ~/\\.iourc`));
    await mkdir(path.join(dataDir, 'images/IOU/old'), { recursive: true });
    assert.notEqual(await bare.unprovided?.(), null);
    await writeFile(path.join(dataDir, 'images/IOU/old/image.bin'), '');
    assert.equal(await bare.unprovided?.(), null);
    await bare.close();
  });

  it('carries frames of Ethernet and serial ports both ways, each to its own port', async () => {
    const of = node();
    const plumbing = createPlumbing(() => context.fabric);
    await start(of);
    const ends = await Promise.all(
      [of.ports[1], of.ports[6]].map(async (port) => {
        const { adapter_number, port_number } = port as Port;
        const [outside, [lport = 0]] = await Promise.all([peer(), freePorts(1)]);
        const at = { node_id: of.node_id, project_id: PROJECT_ID, adapter_number, port_number };
        await plumbing.putNio({ ...at, nio: { type: 'nio_udp', lport, rhost: '127.0.0.1', rport: outside.port } });
        return { outside, lport };
      }),
    );
    const frame = (n: number): Buffer => Buffer.from(`from.......${n}..REQ and ${'x'.repeat(1_480)}`);
    // More at once than the system holds for a socket of the instance, and few enough for the UDP sockets before it, which may lose.
    for (const [n, { outside, lport }] of ends.entries()) for (let i = 0; i < 15; i++) outside.send(frame(n), lport);
    for (const [n, { outside }] of ends.entries()) {
      const answer = Buffer.from(frame(n).toString().replace('REQ', 'RSP'));
      for (let i = 0; i < 15; i++) assert.deepEqual(await outside.next(), answer);
      await outside.close();
    }
    await engine.stop(of, never());
    for (const id of [0, 512].map((n) => Number(of.properties['application_id']) + n))
      assert.deepEqual([existsSync(netio(id)), existsSync(`${netio(id)}.lck`)], [false, false]);
    await context.fabric.run([{ op: 'project.remove', project_id: PROJECT_ID }]);
  });

  it('shows what was printed before anybody looked, and goes on when clients come and go', async () => {
    const of = node({}, { console_type: 'none' });
    await start(of);
    const { pid } = (await processesOf(of.node_id, context.mark))[0] ?? { pid: 0 };
    // Nobody has taken the console's output: the relay keeps it for the first who connects.
    const argv = await readFile(`/proc/${pid}/cmdline`, 'utf8');
    const directory = /--directory\0([^\0]+)/.exec(argv)?.[1] ?? '';
    const first = createConnection(path.join(directory, 'console'));
    const [begin] = (await once(first, 'data')) as [Buffer];
    assert.match(begin.toString(), /Restricted Rights Legend/);
    first.destroy();
    const second = createConnection(path.join(directory, 'console'));
    second.write('show startup-config\r');
    let output = '';
    for await (const chunk of second) if ((output += String(chunk)).includes('Router>')) break;
    assert.match(output, /^show startup-config\r\n\[no nvram\]/);
    await engine.stop(of, never());
  });

  it('reads configurations from the NVRAM, and writes what is saved back while it runs', async () => {
    const of = node();
    await mkdir(of.node_directory ?? '', { recursive: true });
    await writeFile(file(of, 'startup-config.cfg'), 'hostname R1\n');
    await writeFile(file(of, 'private-config.cfg'), 'secret');
    const console = await consoleOf(await start(of));
    assert.match(await console.type('show startup-config', PROMPT), /hostname R1\r\n\[private secret\]/);
    await console.type('write memory', PROMPT);
    await eventually(async () => (await readFile(file(of, 'startup-config.cfg'), 'utf8')) === 'hostname Saved\n\n');
    console.close();
    // What is changed meanwhile is for the next start, whatever the NVRAM has.
    await writeFile(file(of, 'startup-config.cfg'), 'hostname R2\n');
    await engine.stop(of, never());
    assert.equal(await readFile(file(of, 'startup-config.cfg'), 'utf8'), 'hostname R2\n');
    await start(of);
    await engine.stop(of, never());
    const names = (await readdir(of.node_directory ?? '')).filter((name) => name.startsWith('nvram_'));
    assert.equal(names.length, 1);
    assert.equal(startupIn(await readFile(file(of, names[0] ?? ''))), 'hostname R2\n[private secret]');
  });

  it('takes over what was saved just before its stop', async () => {
    const of = node();
    const console = await consoleOf(await start(of));
    await console.type('write memory', PROMPT);
    console.close();
    await engine.stop(of, never());
    assert.equal(await readFile(file(of, 'startup-config.cfg'), 'utf8'), 'hostname Saved\n\n');
  });

  it('starts with the licence that the start brings, or an earlier one did', async () => {
    const of = node(image('licensed.bin', { key: KEY }));
    const iourc_content = `[license]\n${hostname()} = ${KEY};\n`;
    await start(of, { iourc_content, license_check: true });
    await engine.stop(of, never());
    assert.equal((await stat(file(of, 'iourc'))).mode & 0o777, 0o600);
    await start(of);
    await engine.stop(of, never());
  });

  it('starts with the licence of the server when the start brings none', async (t) => {
    const of = node(image('licensed.bin', { key: KEY }));
    const setting = path.join(context.dataDir, LICENSE.file);
    t.after(() => rm(setting, { force: true }));
    const write = (iourc_content: string, license_check: boolean): Promise<void> =>
      writeFile(setting, JSON.stringify({ iourc_content, license_check }));
    await write('[license]\nother = 1;\n', true);
    await assert.rejects(start(of), { code: 'conflict', message: /has no line for this host/ });
    await write(`[license]\n${hostname()} = ${KEY};\n`, true);
    await start(of);
    await engine.stop(of, never());
  });

  it('refuses a licence that cannot be one, and tells what the image says to one that is wrong', async () => {
    const of = node(image('licensed.bin', { key: KEY }));
    await assert.rejects(start(of, { iourc_content: '[license]\nother = 1;\n', license_check: true }), {
      code: 'conflict',
      message: /has no line for this host/,
    });
    const iourc_content = `[license]\n${hostname()} = 0000000000000000;\n`;
    await assert.rejects(start(of, { iourc_content, license_check: true }), {
      code: 'engine_failed',
      message: /code 1\): [^]*IOU License Error: invalid license[^]*required on host/,
    });
    assert.deepEqual(await processesOf(of.node_id, context.mark), []);
  });

  it('tells the last words of an image that ends as it starts, and leaves nothing', async () => {
    const of = node(image('crashes.bin', { crashes: true }));
    await assert.rejects(start(of), {
      code: 'engine_failed',
      message: /code 139\): .*crashes\.bin was ended by SIGSEGV\n[^]*Unexpected exception to CPU/,
    });
    assert.deepEqual(await processesOf(of.node_id, context.mark), []);
    const left = (await readdir(of.node_directory ?? '')).sort();
    assert.deepEqual(left, ['NETMAP', 'iou.log']);
  });

  it('is not up before it listens for frames', async () => {
    const of = node(image('mute.bin', { mute: true }));
    const reason = new Error('too late');
    const controller = new AbortController();
    const starting = engine.start(of, {}, controller.signal);
    const early = starting.then(
      () => 'up',
      (error: unknown) => error,
    );
    await eventually(async () => (await processesOf(of.node_id, context.mark)).length === 2);
    controller.abort(reason);
    assert.equal(await early, reason);
    assert.deepEqual(await processesOf(of.node_id, context.mark), []);
  });

  it('gives an application id to one node only, and another to one that was not given any', async () => {
    const one = node();
    const two = node({ application_id: one.properties['application_id'] }, { name: 'SR2' });
    await start(one);
    await assert.rejects(start(two), { code: 'conflict', message: /application_id \d+ is in use by SR1/ });
    const other = await create();
    await assert.rejects(other.start(two, {}, never()), { message: /is in use by process \d+, which this server/ });
    await other.close();
    engine = await create();
    await engine.adopt(one, never());
    const free = node();
    free.properties['application_id'] = ownApplicationId(free);
    const held = node({ application_id: free.properties['application_id'] });
    await start(held);
    const started = await start(free);
    assert.notEqual(started.command_line.split(' ').at(-1), String(ownApplicationId(free)));
    for (const of of [one, free, held]) await engine.stop(of, never());
  });

  it('keeps the link states of its ports alive where it was asked to', async () => {
    const old = node({ ...image('old.bin', { noKeepalives: true }), l1_keepalives: true });
    await assert.rejects(start(old), {
      code: 'conflict',
      message: /no layer 1 keepalives; set l1_keepalives to false/,
    });
    const of = node({ l1_keepalives: true });
    const plumbing = createPlumbing(() => context.fabric);
    const started = await start(of);
    const [port] = of.ports;
    const end = { node_id: of.node_id, adapter_number: 0, port_number: port?.port_number ?? 0 };
    const other = { ...end, node_id: randomUUID() };
    await plumbing.putLink({
      link_id: randomUUID(),
      project_id: PROJECT_ID,
      ends: [{ ...end, port_number: 2 }, other],
      suspend: false,
      filters: {},
    });
    const console = await consoleOf(started);
    await eventually(async () => /up: 0\/2\r/.test(await console.type('show interfaces', PROMPT)));
    console.close();
    await engine.stop(of, never());
    await context.fabric.run([{ op: 'project.remove', project_id: PROJECT_ID }]);
  });

  it('outlives its server, and is reported by the next one when it ends', async () => {
    const of = node();
    const started = await start(of);
    await engine.close();
    engine = await create();
    assert.deepEqual(await engine.adopt(of, never()), { state: 'started', started });
    const exited = new Promise<Exit>((resolve) => engine.onExit(resolve));
    const console = await consoleOf(started);
    await console.type('quit', /quit/);
    assert.match((await exited).output, /Router>|quit/);
    console.close();
    await assert.rejects(access(netio(of.properties['application_id'])));
    assert.equal(await engine.adopt(of, never()), null);
  });

  it('ends with its relay, and leaves nothing of it', async () => {
    const of = node();
    const { pid } = await start(of);
    const exited = new Promise<Exit>((resolve) => engine.onExit(resolve));
    process.kill(Number(pid), 'SIGKILL');
    assert.equal((await exited).signal, 'SIGKILL');
    assert.deepEqual(await processesOf(of.node_id, context.mark), []);
    // Nobody waits for what is taken away after the end was told.
    for (const id of [0, 512].map((n) => Number(of.properties['application_id']) + n))
      await waitFor('its sockets are gone', () => !existsSync(netio(id)) && !existsSync(`${netio(id)}.lck`));
  });
});
