import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Exit, KindNode, Properties, Started } from '../../../src/emulators/kit/contract.ts';
import { findMarked, markOf } from '../../../src/processes/marker.ts';
import { connectHypervisor, type Hypervisor } from '../../../src/emulators/router_emulator/hypervisor/hypervisor.ts';
import { type Api, type Bag, id, startApi } from '../../api/api.ts';
import { putImage } from '../../fakes/dynamips-install.ts';
import { type Console, openConsole } from '../../support/console.ts';
import { configOf, never, noDynamips, type Router, routerFixture } from './router-fixture.ts';
import { IMAGES } from './tiny-image.ts';

describe('the program dynamips', { skip: noDynamips }, () => {
  const lab = routerFixture({ real: true });
  const router = (image: keyof typeof IMAGES, given: Properties): Promise<Router> =>
    lab.router({ image: `${image}.image`, idlepc: IMAGES[image].idlepc, ...given });
  const files = (node: Router): Promise<string[]> => readdir(node.node_directory);
  /** Resolves with what its console has said since the start. */
  const booted = async ({ console }: Started): Promise<string> => {
    const client = await openConsole(console ?? 0);
    const said = await client.until(/TINY ROUTER/);
    client.close();
    return said;
  };
  /** A second line to its hypervisor. */
  const besides = async (
    { command_line }: Started,
    use: (hypervisor: Hypervisor) => Promise<unknown>,
  ): Promise<void> => {
    const hypervisor = await connectHypervisor(Number(/:(\d+)/.exec(command_line ?? '')?.[1]), 5_000);
    await use(hypervisor);
    hypervisor.close();
  };
  /** What the router's own `write memory` does: its NVRAM has other configurations. */
  const saved = (started: Started, { name }: KindNode, ...texts: string[]): Promise<void> =>
    besides(started, (hypervisor) =>
      hypervisor.send(['vm', 'push_config', name, ...texts.map((text) => Buffer.from(text).toString('base64'))]),
    );
  let around: string[] = [];

  before(async () => {
    for (const [name, { image }] of Object.entries(IMAGES)) putImage(lab.directory, `${name}.image`, image);
    around = await readdir('.');
  });

  it('tells its version, and leaves nothing where the server is', async () => {
    assert.match((await lab.engine.version?.()) ?? '', /^0\.2\.\d+/);
    assert.deepEqual(await readdir('.'), around);
  });

  const platforms: [string, keyof typeof IMAGES, Properties][] = [
    ['1720', 'powerpc', { platform: 'c1700', wic0: 'WIC-1T', wic1: 'WIC-2T' }],
    ['1760', 'powerpc', { platform: 'c1700', chassis: '1760', wic0: 'WIC-1ENET' }],
    ['2620', 'powerpc', { platform: 'c2600', chassis: '2620', slot0: 'C2600-MB-2FE', slot1: 'NM-16ESW' }],
    ['2691', 'mips', { platform: 'c2691', slot1: 'NM-4T', wic0: 'WIC-2T' }],
    ['3640', 'mips', { platform: 'c3600', slot0: 'NM-4E', slot1: 'NM-16ESW' }],
    ['3660', 'mips', { platform: 'c3600', chassis: '3660', slot6: 'NM-4T' }],
    ['3725', 'mips', { platform: 'c3725', slot2: 'NM-16ESW', wic0: 'WIC-1T', wic2: 'WIC-2T' }],
    ['3745', 'mips', { platform: 'c3745', slot4: 'NM-1FE-TX', disk0: 16 }],
    ['7200', 'mips', { platform: 'c7200', slot1: 'PA-A1', slot2: 'PA-POS-OC3', slot3: 'PA-GE', slot6: 'PA-8T' }],
    ['7200 of the largest engine', 'g2', { platform: 'c7200', npe: 'npe-g2', slot0: 'C7200-IO-GE-E' }],
  ];
  for (const [name, image, given] of platforms)
    it(`runs a ${name}, with its configurations in NVRAM and its files in the directory of its node`, async () => {
      const node = await router(image, given);
      await writeFile(configOf(node), 'hostname Paris\n');
      await writeFile(configOf(node, 'private'), 'crypto\n');
      const started = await lab.start(node);
      assert.match(
        await booted(started),
        new RegExp(`"R1" \\(ID 5, type ${String(given['platform'])}\\) - Console port`),
      );
      await besides(started, async (hypervisor) => {
        const { text } = await hypervisor.send(['vm', 'extract_config', 'R1']);
        const [, startup = '', own = ''] = /'(\S+)' '(\S+)'$/.exec(text) ?? [];
        assert.deepEqual(
          [startup, own].map((base64) => Buffer.from(base64, 'base64').toString()),
          ['hostname Paris\n', 'crypto\n'],
        );
      });
      await saved(started, node, 'hostname Lyon\n', 'crypto 2\n');
      const while_it_runs = await files(node);
      for (const file of [`${String(given['platform'])}_i5_log.txt`, 'dynamips_log.txt', 'dynamips.log'])
        assert.ok(while_it_runs.includes(file), file);
      await lab.stop(node);
      assert.equal(await readFile(configOf(node), 'utf8'), 'hostname Lyon\n');
      assert.equal(await readFile(configOf(node, 'private'), 'utf8'), 'crypto 2\n');
      assert.deepEqual(
        (await files(node)).filter((file) => /_(lock|ram|sram\d)$|^ilt_/.test(file)),
        [],
      );
      assert.deepEqual(await readdir('.'), around);
    });

  it('keeps what was saved when it is killed, although the file of before is there', async () => {
    const node = await router('mips', { platform: 'c3600' });
    await writeFile(configOf(node), 'hostname Paris\n');
    await utimes(configOf(node), new Date(2020, 1), new Date(2020, 1));
    const started = await lab.start(node);
    await saved(started, node, 'hostname Lyon\n');
    const exited = new Promise<Exit>((resolve) => lab.engine.onExit(resolve));
    process.kill(started.pid ?? 0, 'SIGKILL');
    assert.deepEqual([(await exited).node_id, (await exited).signal], [node.node_id, 'SIGKILL']);
    await lab.start(node);
    await lab.stop(node);
    assert.equal(await readFile(configOf(node), 'utf8'), 'hostname Lyon\n');
  });

  it('never gets a configuration that does not fit, which stays', async () => {
    const node = await router('mips', { platform: 'c2691' });
    await writeFile(configOf(node), 'hostname Paris\n');
    await lab.start(node);
    await lab.stop(node);
    const large = 'x'.repeat(80_000);
    await writeFile(configOf(node), large);
    await assert.rejects(lab.start(node), {
      status: 409,
      message: /^startup_config_content and private_config_content: 79 kB do not fit into the NVRAM of R1/,
    });
    assert.equal(await readFile(configOf(node), 'utf8'), large);
    assert.deepEqual(await findMarked(lab.context.mark), []);
  });

  it('says of an image that it cannot load what it has printed, and nothing else', async () => {
    // Made for another place in memory.
    const node = await router('g2', { platform: 'c3725' });
    await assert.rejects(lab.start(node), {
      code: 'engine_failed',
      message: /209 unable to start VM instance 'R1': load_elf_image: invalid load address.*failed to load/s,
    });
  });

  it('goes on while its server is away, suspended too, and has its new name after a reload', async () => {
    const node = await router('mips', { platform: 'c2691' });
    const started = await lab.start(node);
    await booted(started);
    await lab.engine.suspend?.(node, never);
    await lab.renew();
    const renamed = { ...node, name: 'West', properties: { ...node.properties, idlemax: 100 } };
    assert.deepEqual(await lab.engine.adopt(renamed, never), { state: 'suspended', started });
    await lab.engine.resume?.(renamed, never);
    await lab.engine.update({ ...renamed, name: 'East' }, never);
    assert.deepEqual(await lab.engine.reload?.({ ...renamed, name: 'East' }, never), started);
    await besides(started, async (hypervisor) =>
      assert.deepEqual((await hypervisor.send(['vm', 'list'])).info, ['East (c2691)']),
    );
    await lab.stop(renamed);
  });

  it('runs once for each router: one that crashes takes no other along', async () => {
    const nodes = await Promise.all([
      ...[1, 2, 3].map((dynamips_id) => router('mips', { platform: 'c3725', dynamips_id })),
      router('powerpc', { platform: 'c2600', dynamips_id: 4 }),
    ]);
    const started = await Promise.all(nodes.map((node) => lab.start(node)));
    await Promise.all(started.map((one) => booted(one)));
    assert.equal(new Set(started.map(({ pid }) => pid)).size, 4);
    const exits: string[] = [];
    const exited = new Promise<void>((resolve) =>
      lab.engine.onExit(({ node_id }) => {
        exits.push(node_id);
        resolve();
      }),
    );
    process.kill(started[1]?.pid ?? 0, 'SIGSEGV');
    await exited;
    const found = await Promise.all(nodes.map((node) => lab.engine.adopt(node, never)));
    assert.deepEqual(
      found.map((one) => one?.state ?? null),
      ['started', null, 'started', 'started'],
    );
    assert.deepEqual(exits, [nodes[1]?.node_id]);
    await Promise.all(nodes.map((node) => lab.stop(node)));
  });

  it('loses its disks at a stop where it is to, and has them otherwise', async () => {
    const node = await router('mips', { platform: 'c3725', disk0: 8 });
    const disk = path.join(node.node_directory, 'c3725_i5_slot0');
    await lab.start(node);
    await lab.stop(node);
    assert.equal((await stat(disk)).isFile(), true);
    await writeFile(configOf(node), 'hostname Paris\n');
    const without = { ...node, properties: { ...node.properties, auto_delete_disks: true } };
    await lab.start(without);
    await lab.stop(without);
    assert.equal(existsSync(disk), false);
    assert.equal(await readFile(configOf(node), 'utf8'), 'hostname Paris\n');
  });
});

describe('a lab with routers that the program dynamips runs', { skip: noDynamips }, () => {
  const OF_NODE = '/v2/projects/{project_id}/nodes/{node_id}';
  const OF_LINK = '/v2/projects/{project_id}/links/{link_id}';
  let api: Api;
  let project_id = '';
  const act = (node: Bag, action: string): Promise<Bag> =>
    api.get(200, `POST ${OF_NODE}/${action}`, { project_id, node_id: id(node) });
  const make = (name: string, node_type: string, properties: Bag): Promise<Bag> =>
    api.get(
      201,
      'POST /v2/projects/{project_id}/nodes',
      { project_id },
      { name, node_type, properties, compute_id: 'local' },
    );
  const router = (name: string, platform: string): Promise<Bag> =>
    make(name, 'router_emulator', { platform, image: 'host.image', idlepc: IMAGES.host.idlepc, idlesleep: 2 });
  const link = async (...ends: Bag[]): Promise<string> => {
    const nodes = ends.map((node) => ({ node_id: id(node), adapter_number: 0, port_number: 0 }));
    return id(await api.get(201, 'POST /v2/projects/{project_id}/links', { project_id }, { nodes }), 'link_id');
  };
  const consoleOf = async (node: Bag): Promise<Console> => {
    const { console } = await api.get(200, `GET ${OF_NODE}`, { project_id, node_id: id(node) });
    return openConsole(Number(console));
  };

  before(async () => {
    api = await startApi([]);
    putImage(api.server.dataDir, 'host.image', IMAGES.host.image);
    project_id = await api.project();
  });
  after(() => api.close());

  it('answers the pings of a PC, captured, filtered, suspended and going on', async () => {
    const one = await router('R1', 'c3725');
    const pc = await make('PC1', 'simple_pc', {
      engine: 'embedded',
      startup_script: 'set pcname PC1\nip 10.0.0.1/24\n',
    });
    const link_id = await link(one, pc);
    const at = { project_id, link_id };
    await act(one, 'start');
    const booted = await consoleOf(one);
    await booted.until(/TINY ROUTER/);
    assert.match(await booted.type('hello', /hello/), /hello/);
    booted.close();
    await act(pc, 'start');
    const console = await consoleOf(pc);
    await console.until(/PC1> $/);
    const silent = async () =>
      assert.doesNotMatch(await console.type('ping 10.0.0.254 -c 1 -w 300', /PC1> $/), /84 bytes from/);
    // It has room for one frame at a time, where one of before may still be.
    const answers = async () => {
      await console.type('ping 10.0.0.254 -t -i 100', /84 bytes from 10\.0\.0\.254/);
      await console.type('\x03', /PC1> $/);
    };
    await answers();

    await api.get(201, `POST ${OF_LINK}/start_capture`, at, { capture_file_name: 'a.pcap' });
    await answers();
    const { capture_file_path } = await api.get(200, `GET ${OF_LINK}`, at);
    await api.get(201, `POST ${OF_LINK}/stop_capture`, at, {});
    const captured = await readFile(String(capture_file_path));
    // Its head, and at least a question and an answer of 98 octets with a head each.
    assert.ok(captured.length >= 24 + 2 * (16 + 98), String(captured.length));
    assert.ok(captured.includes(Buffer.from('020000000001', 'hex')));

    await api.get(201, `PUT ${OF_LINK}`, at, { filters: { packet_loss: [100] } });
    await silent();
    await api.get(201, `PUT ${OF_LINK}`, at, { filters: {} });
    await act(one, 'suspend');
    await silent();
    await act(one, 'start');
    await answers();
    await act(one, 'stop');
    console.close();
  });

  it('has links between routers, and nothing of a router that was deleted', async () => {
    const routers = [await router('R2', 'c2691'), await router('R3', 'c3725')];
    await link(...routers);
    const [asking = {}] = routers;
    for (const node of routers) {
      await act(node, 'start');
      const console = await consoleOf(node);
      await console.until(/TINY ROUTER/);
      console.close();
    }
    const console = await consoleOf(asking);
    await console.until(/Press ENTER/);
    await console.type('a', /ANSWERED/);
    console.close();
    for (const node of routers) await api.get(204, `DELETE ${OF_NODE}`, { project_id, node_id: id(node) });
    const left = await findMarked(await markOf(api.server.dataDir));
    assert.deepEqual(
      left.filter(({ node_id }) => routers.some((node) => id(node) === node_id)),
      [],
    );
  });
});
