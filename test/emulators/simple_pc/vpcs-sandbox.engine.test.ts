import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { processesOf } from '../../../src/processes/end.ts';
import { markOf } from '../../../src/processes/marker.ts';
import { withoutEscapes } from '../../../src/emulators/simple_pc/vpcs-escapes.ts';
import { sandboxLacks } from '../../../src/emulators/simple_pc/vpcs-sandbox.ts';
import { which } from '../../../src/emulators/shared/process/find-program.ts';
import { type Api, type Bag, id, startApi } from '../../api/api.ts';
import { type Console, openConsole } from '../../support/console.ts';
import { isElsewhere, isOnLoopback, listeningOf } from '../../support/listening.ts';
import { tempDir } from '../../support/temp.ts';

const lacks = (await which('vpcs')) === null ? { needs: 'vpcs' } : await sandboxLacks();
const skip = lacks === null ? false : `${lacks.needs} is not here`;
const PROMPT = /PC1> $/;
const START = 'POST /v2/projects/{project_id}/nodes/{node_id}/start';

describe('a VPCS, which is made to run programs of its machine', { skip }, () => {
  let api: Api;
  let outside: Awaited<ReturnType<typeof tempDir>>;
  let project_id = '';
  let node_id = '';
  let directory = '';
  let console: Console;
  const marker = (): string => path.join(outside.path, 'marker');
  const read = (): Promise<Bag> =>
    api.get(200, 'GET /v2/projects/{project_id}/nodes/{node_id}', { project_id, node_id });
  const processes = async () => processesOf(node_id, await markOf(api.server.dataDir));
  const markerIsMade = async (): Promise<boolean> => (await readdir(outside.path)).length > 0;

  before(async () => {
    outside = await tempDir();
    // The user VPCS runs as could make it.
    await chmod(outside.path, 0o777);
    api = await startApi([]);
    project_id = await api.project();
    const startup_script = `set pcname PC1\n!touch ${marker()}\n  ! touch ${marker()}\nload other\n`;
    const body = {
      name: 'PC1',
      node_type: 'vpcs',
      compute_id: 'local',
      properties: { engine: 'vpcs', startup_script },
    };
    node_id = id(await api.get(201, 'POST /v2/projects/{project_id}/nodes', { project_id }, body));
    directory = String((await read())['node_directory']);
    await mkdir(directory, { recursive: true });
    await writeFile(path.join(directory, 'other.vpc'), `!touch ${marker()}\nrlogin 22\nrelay port 7000\necho loaded\n`);
    await writeFile(path.join(directory, 'vpcs.hist'), `!touch ${marker()}\n`);
    await api.get(200, START, { project_id, node_id });
    console = await openConsole(Number((await read())['console']));
    await console.until(/loaded[^]*PC1> $/);
  });
  after(async () => {
    console.close();
    await api.close();
    await outside.remove();
  });

  it('runs none by its files, whose lines have become comments, and the record says so', async () => {
    assert.equal(await markerIsMade(), false);
    assert.match(await readFile(path.join(directory, 'startup.vpc'), 'utf8'), /^#!touch .+\n#  ! touch /m);
    assert.match(
      await readFile(path.join(directory, 'other.vpc'), 'utf8'),
      /^#!touch .+\n#rlogin 22\n#relay port 7000\necho/,
    );
    const { text } = await api.ask('GET /v2/projects/{project_id}/events', { project_id });
    for (const file of ['startup.vpc', 'other.vpc', 'vpcs.hist'])
      assert.match(text, new RegExp(`PC1: ${file} had \\d lines? by which VPCS would use the server’s machine`));
  });

  it('runs none that is typed, nor one that is put together by editing a line', async () => {
    for (const line of [`!touch ${marker()}`, ` !touch ${marker()}`, `touch ${marker()}\u0001!`, '\u001b[A\u0001!'])
      await console.type(line, PROMPT);
    assert.equal(await markerIsMade(), false);
  });

  it('runs none of a file that came while it ran, as there is no shell where it is', async () => {
    await writeFile(path.join(directory, 'late.vpc'), `!touch ${marker()}\n!touch here\necho it was run\n`);
    await chmod(path.join(directory, 'late.vpc'), 0o644);
    await console.type('load late', /it was run[^]*PC1> $/);
    assert.equal(await markerIsMade(), false);
    assert.deepEqual(
      (await readdir(directory)).filter((name) => name === 'here'),
      [],
    );
  });

  it('reads and writes no file but those of its node', async () => {
    for (const line of [
      `save ${marker()}`,
      `save ../../../../../..${marker()}`,
      `load ${path.join(outside.path, 'x')}`,
    ])
      await console.type(line, PROMPT);
    assert.equal(await markerIsMade(), false);
    await console.type('save mine', /done[^]*PC1> $/);
    assert.ok((await stat(path.join(directory, 'mine.vpc'))).isFile());
  });

  it('has no privileges, no network of its machine, and listens where nobody else comes', async () => {
    const all = await processes();
    const own = all.filter(({ argv }) => argv[0]?.endsWith('vpcs'));
    assert.ok(own.length > 0);
    for (const { pid } of own) {
      const status = await readFile(`/proc/${pid}/status`, 'latin1');
      assert.match(status, /^CapEff:\s*0+$/m);
      assert.doesNotMatch(status, /^Uid:\s*0\s/m);
      assert.equal(await isElsewhere(pid), true);
    }
    for (const socket of await listeningOf(all.map(({ pid }) => pid)))
      assert.ok((await isElsewhere(socket.pid)) || isOnLoopback(socket), JSON.stringify(socket));
  });

  it('connects to nothing of its machine', async () => {
    const port = Number(new URL(api.url).port);
    assert.match(await console.type(`rlogin ${port}`, PROMPT), /[Dd]isconnected|refused|failed/);
  });

  it('leaves nothing that runs when it is stopped', async () => {
    await api.get(200, 'POST /v2/projects/{project_id}/nodes/{node_id}/stop', { project_id, node_id });
    assert.deepEqual(await processes(), []);
  });
});

describe('a server that is not local', () => {
  let api: Api;
  let project_id = '';
  before(async () => {
    api = await startApi(['--no-local', '--engine', 'simple_pc=vpcs']);
    project_id = await api.project();
  });
  after(() => api.close());
  const make = (code: number, properties: Bag): Promise<Bag> =>
    api.get(
      code,
      'POST /v2/projects/{project_id}/nodes',
      { project_id },
      { name: 'PC', node_type: 'vpcs', compute_id: 'local', properties },
    );

  it('makes no node that VPCS is to run, and names the field', async () => {
    const { message } = await make(403, { engine: 'vpcs' });
    assert.match(String(message), /^engine: .*VPCS/);
  });

  it('starts none by it where its own settings choose it', { skip }, async () => {
    const { message } = await api.get(403, START, { project_id, node_id: id(await make(201, {})) });
    assert.match(String(message), /engine: .*VPCS/);
  });
});

describe('lines by which VPCS leaves its node', () => {
  it('become comments, whatever their line ends, and all others stay as they are', () => {
    const { text, count } = withoutEscapes(
      'ip 10.0.0.1/24\r\n!id\r\n\t!id\nRLOGIN 22\rrel add 1 2\necho a!b\n# !x\nsave\n',
    );
    assert.equal(text, 'ip 10.0.0.1/24\r\n#!id\r\n#\t!id\n#RLOGIN 22\n#rel add 1 2\necho a!b\n# !x\nsave\n');
    assert.equal(count, 4);
    const untouched = 'ip dhcp\r\nping 10.0.0.1\r\n';
    assert.deepEqual(withoutEscapes(untouched), { text: untouched, count: 0 });
  });
});
