import assert from 'node:assert/strict';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { request, type ServerProcess, spawnServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';
import { topolog } from './run.ts';
import { waitFor } from '../support/wait-for.ts';

type Bag = Record<string, unknown>;

const PROJECT = '00000000-0000-4000-8000-0000000000f1';
const AT = `/v2/projects/${PROJECT}`;
const SCRIPT = 'echo from the beginning\n';
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>';

/** What a server may have in its data directory when its labs are elsewhere. */
const OF_MACHINE = ['fabric.log', 'keys', 'log', 'run', 'server-id', 'server.json', 'spool'];

/** Servers in the directories `data…`, with their files in others. */
class Scene {
  readonly #root: string;
  #server: ServerProcess | null = null;

  private constructor(root: string) {
    this.#root = root;
  }

  static async open(t: TestContext): Promise<Scene> {
    const dir = await tempDir();
    const scene = new Scene(dir.path);
    t.after(async () => {
      await scene.stop();
      await dir.remove();
    });
    return scene;
  }

  in(...names: string[]): string {
    return path.join(this.#root, ...names);
  }

  async start(data: string, files: string): Promise<ServerProcess> {
    this.#server = await spawnServer(this.in(data), ['--files', this.in(files)]);
    return this.#server;
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    await this.#server?.kill(signal);
  }

  async ask(method: string, where: string, body?: unknown): Promise<unknown> {
    const answer = await request(this.#server?.url ?? '', method, where, body);
    assert.ok(answer.status < 300, `${method} ${where}: ${answer.text}`);
    return answer.body ?? answer.text;
  }

  async nodes(): Promise<Bag[]> {
    return (await this.ask('GET', `${AT}/nodes`)) as Bag[];
  }

  /** PC1 with a script, which runs and is captured, at a switch; a file, a symbol, an image and a snapshot. */
  async build(): Promise<string> {
    await this.ask('POST', '/v2/projects', { name: 'lab', project_id: PROJECT });
    const place = { adapter_number: 0, port_number: 0 };
    const nodes: Bag[] = [];
    for (const [name, node_type, properties] of [
      ['SW', 'ethernet_switch', {}],
      ['PC1', 'simple_pc', { startup_script: SCRIPT }],
    ]) {
      const node = { name, node_type, compute_id: 'local', properties };
      nodes.push({ node_id: ((await this.ask('POST', `${AT}/nodes`, node)) as Bag)['node_id'], ...place });
    }
    const { link_id } = (await this.ask('POST', `${AT}/links`, { nodes })) as Bag;
    await this.ask('POST', `${AT}/files/notes`, 'as it was');
    await this.ask('POST', '/v2/symbols/own.svg/raw', SVG);
    await this.ask('POST', '/v2/compute/machine_emulator/images/disk.img', 'an image');
    const { snapshot_id } = (await this.ask('POST', `${AT}/snapshots`, { name: 'now' })) as Bag;
    await this.ask('POST', `${AT}/nodes/start`, {});
    await this.ask('POST', `${AT}/links/${String(link_id)}/start_capture`, { capture_file_name: 'first' });
    return String(snapshot_id);
  }

  /** All of it is there, in this directory. */
  async check(files: string): Promise<void> {
    const project = (await this.ask('GET', AT)) as Bag;
    assert.equal(project['path'], this.in(files, 'projects', PROJECT));
    assert.equal(await this.ask('GET', `${AT}/files/notes`), 'as it was');
    assert.equal(await this.ask('GET', '/v2/symbols/own.svg/raw'), SVG);
    const images = (await this.ask('GET', '/v2/compute/machine_emulator/images')) as Bag[];
    assert.deepEqual(
      images.map(({ filename }) => filename),
      ['disk.img'],
    );
    const pc = (await this.nodes()).find(({ name }) => name === 'PC1');
    assert.equal(pc?.['status'], 'started');
    const script = path.join(String(pc['node_directory']), 'startup.vpc');
    assert.ok(script.startsWith(this.in(files)), script);
    assert.equal(await readFile(script, 'utf8'), SCRIPT);
  }
}

const health = async ({ url }: ServerProcess, wanted: string): Promise<string> => {
  const { log } = await waitFor(`the server is ${wanted}`, async () => {
    const { body } = await request(url, 'GET', '/v2/health');
    const found = body as { status: string; log: { reason: string | null } };
    return found.status === wanted && found;
  });
  return log.reason ?? '';
};

describe('files of labs elsewhere than the data directory', { concurrency: 2 }, () => {
  it('are all there, and nothing of labs is in the data directory', async (t) => {
    const scene = await Scene.open(t);
    const server = await scene.start('data', 'files');
    assert.match(server.output(), new RegExp(`data in ${scene.in('data')}, files in ${scene.in('files')}, engines`));
    const snapshot = await scene.build();
    await scene.check('files');
    const captures = await readdir(scene.in('files', 'projects', PROJECT, 'project-files', 'captures'));
    assert.equal(captures.length, 1);
    const { link_id } = ((await scene.ask('GET', `${AT}/links`)) as [Bag])[0];
    await scene.ask('POST', `${AT}/links/${String(link_id)}/stop_capture`);
    await scene.ask('POST', `${AT}/files/notes`, 'changed');
    await scene.ask('POST', `${AT}/snapshots/${snapshot}/restore`);
    assert.equal(await scene.ask('GET', `${AT}/files/notes`), 'as it was');
    await scene.ask('POST', `${AT}/nodes/stop`);
    const copy = (await scene.ask('POST', `${AT}/duplicate`, { name: 'copy' })) as Bag;
    const archive = await fetch(`${server.url}${AT}/export`);
    assert.equal(archive.status, 200);
    const other = '00000000-0000-4000-8000-0000000000f2';
    const imported = await fetch(`${server.url}/v2/projects/${other}/import?name=imported`, {
      method: 'POST',
      body: await archive.arrayBuffer(),
    });
    assert.equal(imported.status, 201, await imported.text());
    assert.deepEqual(
      (await readdir(scene.in('files', 'projects'))).sort(),
      [PROJECT, String(copy['project_id']), other].sort(),
    );
    await scene.ask('DELETE', `/v2/projects/${other}`);
    await assert.rejects(readdir(scene.in('files', 'projects', other)));
    const held = await topolog('verify', '--data-dir', scene.in('data'));
    assert.match(held.stdout, /^the log is whole/);
    await scene.stop();
    assert.deepEqual(
      (await readdir(scene.in('data'))).filter((name) => !OF_MACHINE.includes(name)),
      [],
    );
    assert.deepEqual((await readdir(scene.in('files'))).filter((name) => name !== 'staging').sort(), [
      'images',
      'projects',
      'symbols',
    ]);
  });

  it('are found by the next start, in the same place and where they were moved to', async (t) => {
    const scene = await Scene.open(t);
    await scene.start('data', 'files');
    await scene.build();
    await scene.stop();
    await scene.start('data', 'files');
    await scene.check('files');
    await scene.stop();
    await rename(scene.in('files'), scene.in('moved'));
    const server = await scene.start('data', 'moved');
    await scene.check('moved');
    const was = `the directory of files was ${scene.in('files')}; it is ${scene.in('moved')} now`;
    assert.ok(server.output().includes(was), server.output());
    await assert.rejects(readdir(scene.in('files')));
  });

  it('can be moved out of the data directory, and back', async (t) => {
    const scene = await Scene.open(t);
    await scene.start('data', 'data');
    await scene.build();
    await scene.stop();
    await mkdir(scene.in('files'));
    const folders = ['projects', 'images', 'symbols'];
    for (const name of folders) await rename(scene.in('data', name), scene.in('files', name));
    await scene.start('data', 'files');
    await scene.check('files');
    await scene.stop();
    for (const name of folders) await rename(scene.in('files', name), scene.in('data', name));
    await scene.start('data', 'data');
    await scene.check('data');
  });

  it('are checked and put into sessions without a server, which has to be told where they are', async (t) => {
    const scene = await Scene.open(t);
    await scene.start('data', 'files');
    await scene.build();
    await scene.stop();
    const verify = (...flags: string[]) => topolog('verify', '--data-dir', scene.in('data'), ...flags);
    assert.match((await verify('--files', scene.in('files'))).stdout, /^the log is whole/);
    await writeFile(scene.in('files', 'symbols', 'own.svg'), 'another');
    const damaged = await verify('--files', scene.in('files'));
    assert.deepEqual([damaged.code, /file symbols\/own\.svg: /.test(damaged.stdout)], [1, true]);
    const out = ['-o', scene.in('session'), '--data-dir', scene.in('data'), '--files', scene.in('files')];
    assert.equal((await topolog('export-session', PROJECT, ...out)).code, 0);
    assert.match(await readFile(scene.in('session'), 'utf8'), /startup\.vpc/);
  });

  it('go on at another server, which has the log and the same directory', async (t) => {
    const scene = await Scene.open(t);
    await scene.start('data', 'files');
    await scene.build();
    await scene.ask('PUT', AT, { on_takeover: 'restart' });
    await scene.stop('SIGKILL');
    await cp(scene.in('data', 'log'), scene.in('other', 'log'), { recursive: true });
    await scene.start('other', 'files');
    await waitFor('all run', async () => (await scene.nodes()).every(({ status }) => status === 'started'));
    await scene.check('files');
  });

  it('cannot be written while their directory is gone, and again when it is back', async (t) => {
    const scene = await Scene.open(t);
    const server = await scene.start('data', 'files');
    await scene.build();
    await rename(scene.in('files'), scene.in('aside'));
    const reason = await health(server, 'read_only');
    const gone = `the directory of files ${scene.in('files')} is gone: it was removed or moved away, or is not mounted`;
    assert.ok(reason.includes(gone), reason);
    assert.equal((await request(server.url, 'POST', '/v2/projects', { name: 'other' })).status, 503);
    await assert.rejects(readdir(scene.in('files')));
    await rename(scene.in('aside'), scene.in('files'));
    await health(server, 'ok');
    await scene.check('files');
    await rm(scene.in('files'), { recursive: true });
    await health(server, 'read_only');
  });

  it('need a directory that can be made and written', async (t) => {
    const scene = await Scene.open(t);
    await writeFile(scene.in('file'), '');
    for (const files of ['file', 'file/below'])
      await assert.rejects(
        scene.start('data', files),
        new RegExp(`--files ${scene.in(files)} cannot be made or written: (a file|a part|no permission)`),
      );
  });
});
