import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { portBlock } from '../support/port-block.ts';
import { testServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';

const run = promisify(execFile);
const root = path.resolve('.');
const tsc = path.join(root, 'node_modules/@typescript/native/bin/tsc');

interface Manifest {
  name: string;
  version: string;
  bin: Record<string, string>;
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
}

/** What a file of the package takes from other packages: as the bundler and the compiler write it, one import a line. */
const IMPORTED = /^(?:import|export) (?:[^;]* from )?["']([^"'.][^"']*)["'];$|await import\(["']([^"'.][^"']*)["']\)/gm;
/** The same of a source. */
const USED = /^import (?!type )(?:[^;]*? from )?'([^'.][^']*)';$|import\('([^'.][^']*)'\)/gm;
const LICENCES = 'THIRD-PARTY-LICENSES.txt';

const CONSUMER = `
import { ApiError, connect, type Schemas } from 'topolog/client';

const topolog = connect({ url: process.argv[2] ?? '' });
const project: Schemas['Project'] = await topolog.post('/v2/projects', { body: { name: 'from a package' } });
const path = { project_id: project.project_id };
const refused: unknown = await topolog.get('/v2/projects/{project_id}/nodes/{node_id}', {
  path: { ...path, node_id: '00000000-0000-4000-8000-000000000000' },
}).catch((error: unknown) => error);
if (!(refused instanceof ApiError) || refused.code !== 'not_found') throw new Error('it was not refused');
for await (const frame of topolog.feed('/v2/projects/{project_id}/notifications', { path, since: 0 })) {
  if (frame.action !== 'project.created') continue;
  console.log(frame.event.name);
  break;
}
// @ts-expect-error there is no such path
await topolog.get('/v2/nowhere').catch(() => undefined);
// @ts-expect-error a project has a name
await topolog.post('/v2/projects', { body: {} }).catch(() => undefined);
await topolog.post('/v2/shutdown');
`;

/** The part of it that a page can have: no Node. */
const PAGE = `
import { connect, type Schemas } from 'topolog/client';
export const names = async (signal: AbortSignal): Promise<string[]> => {
  const topolog = connect({ WebSocket });
  const nodes: Schemas['Node'][] = await topolog.get('/v2/projects/{project_id}/nodes', {
    path: { project_id: 'x' },
    signal,
  });
  return nodes.map(({ name }) => name);
};
`;

/** Compiles a file by itself, with the libraries' declarations checked as well. */
const compile = async (dir: string, file: string, options: object): Promise<void> => {
  const typeRoots = [path.join(root, 'node_modules/@types')];
  const compilerOptions = { strict: true, target: 'ES2022', typeRoots, outDir: dir, rootDir: dir, ...options };
  const config = path.join(dir, `tsconfig.${file}.json`);
  await writeFile(config, JSON.stringify({ compilerOptions, files: [file] }));
  await run(process.execPath, [tsc, '-p', config], { cwd: dir }).catch((error: unknown) => {
    const { stdout } = error as { stdout: string };
    assert.fail(`${file}: ${stdout}`);
  });
};

describe('the package', () => {
  const dir = { path: '', remove: () => Promise.resolve() };
  let manifest: Manifest;
  let installed = '';

  /**
   * As npm would install it. npm itself takes the dependencies from the registry or from its cache, and a machine that tests may have
   * neither: so the package is unpacked, and gets the dependencies of this checkout.
   */
  before(async () => {
    Object.assign(dir, await tempDir());
    // The scripts would build again what other tests are using.
    const pack = ['pack', '--json', '--ignore-scripts', '--offline', '--pack-destination', dir.path];
    const { stdout } = await run('npm', pack, { cwd: root });
    const [{ filename = '' } = {}] = JSON.parse(stdout) as { filename?: string }[];
    manifest = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as Manifest;
    const modules = path.join(dir.path, 'node_modules');
    installed = path.join(modules, manifest.name);
    await mkdir(installed, { recursive: true });
    await run('tar', ['-xzf', path.join(dir.path, filename), '-C', installed, '--strip-components=1']);
    // `ws` is the program's own: Node 20 has no WebSocket.
    for (const name of new Set([...Object.keys(manifest.dependencies), 'ws'])) {
      await mkdir(path.dirname(path.join(modules, name)), { recursive: true });
      await symlink(path.join(root, 'node_modules', name), path.join(modules, name));
    }
    await symlink(path.join(root, 'node_modules/@types'), path.join(modules, '@types'));
    await mkdir(path.join(modules, '.bin'));
    for (const [name, program] of Object.entries(manifest.bin)) {
      await chmod(path.join(installed, program), 0o755);
      await symlink(path.join('..', manifest.name, program), path.join(modules, '.bin', name));
    }
    await writeFile(path.join(dir.path, 'package.json'), JSON.stringify({ type: 'module', private: true }));
  });
  after(() => dir.remove());

  it('has neither tests nor sources, and no path of the machine it was made on', async () => {
    const files = (await readdir(installed, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(installed, path.join(entry.parentPath, entry.name)));
    assert.ok(files.includes(manifest.bin['topolog'] ?? ''));
    assert.ok(files.includes('dist/web/index.html'));
    assert.ok(!files.some((file) => file.endsWith('.webm')));
    const wrong =
      /^(?:src(?!\/emulators\/\w+\/README\.md$)|test|scripts|bench|node_modules)\/|^dist\/(?!bin\/|src\/client\/|web\/)|\.map$|(?<!\.d)\.ts$|\.test\.|tsbuildinfo/;
    assert.deepEqual(
      files.filter((file) => wrong.test(file)),
      [],
    );
    for (const file of files) {
      const text = await readFile(path.join(installed, file), 'latin1');
      for (const folder of ['src', 'dist', 'node_modules'])
        assert.ok(!text.includes(path.join(root, folder)), `${file} names a file of ${root}`);
    }
  });

  const textsIn = async (folder: string, ending = '.js'): Promise<string[]> => {
    const names = (await readdir(folder, { recursive: true })).map(String);
    const files = names.filter((name) => name.endsWith(ending));
    return Promise.all(files.map((name) => readFile(path.join(folder, name), 'utf8')));
  };
  const found = (texts: string[], pattern: RegExp): string[] =>
    [
      ...new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, one, other]) => one ?? other ?? ''))),
    ].sort();

  it('is installed with the packages that it imports, and none of those that are bundled', async () => {
    const folders = ['dist/bin', 'dist/src/client'].map((folder) => path.join(installed, folder));
    const texts = (await Promise.all(folders.map((folder) => textsIn(folder)))).flat();
    const imported = found(texts, IMPORTED).filter((name) => !isBuiltin(name));
    const beside = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }).sort();
    assert.deepEqual(imported, beside);
  });

  it('has the licence of each package that is bundled, and says where sources are', async () => {
    const ofPrograms = await readFile(path.join(installed, 'dist/bin', LICENCES), 'utf8');
    const beside = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
    const used = found(await textsIn(path.join(root, 'src'), '.ts'), USED);
    const bundled = used.filter((name) => !isBuiltin(name) && !beside.includes(name));
    assert.ok(bundled.includes('fastify') && bundled.includes('zod') && bundled.includes('ws'), bundled.join());
    for (const name of bundled) assert.match(ofPrograms, new RegExp(`^${name} \\d+\\.\\d+\\.\\d+`, 'm'));
    const ofPage = await readFile(path.join(installed, 'dist/web', LICENCES), 'utf8');
    for (const line of [
      /^react \d.*\nLicence: MIT$/m,
      /^@novnc\/novnc \d.*\nLicence: MPL-2\.0\nSource: https:\/\/github\.com\/novnc\/noVNC, /m,
      /^elkjs \d.*\nLicence: EPL-2\.0 OR .*\nSource: https:\/\/github\.com\/kieler\/elkjs, /m,
      /^@fontsource-variable\/inter \d.*\nLicence: OFL-1\.1$/m,
      /^@fontsource-variable\/jetbrains-mono \d.*\nLicence: OFL-1\.1$/m,
      /^Mozilla Public License Version 2\.0$/m,
      /Eclipse Public License - v 2\.0/,
      /^SIL OPEN FONT LICENSE Version 1\.1/m,
      // Packages and authors inside of other packages.
      /Vitaly Puzrin/,
      /Jef Poskanzer/,
    ])
      assert.match(ofPage, line);
    const program = path.join(installed, manifest.bin['topolog'] ?? '');
    const { stdout } = await run(process.execPath, [program, '--licences']);
    assert.equal(stdout, `${ofPrograms}\n${ofPage}`);
  });

  it('says between releases that it is no release, and of which commit it was built', async () => {
    const program = path.join(installed, manifest.bin['topolog'] ?? '');
    const told = async (version: string): Promise<string> => {
      await writeFile(path.join(installed, 'package.json'), JSON.stringify({ ...manifest, version }));
      return (await run(process.execPath, [program, '--version'])).stdout.trim();
    };
    const commit = path.join(installed, 'dist/bin/commit');
    await writeFile(commit, '0123abcd\n');
    assert.equal(await told('0.3.0-dev'), '0.3.0-dev+0123abcd');
    assert.equal(await told('0.3.0'), '0.3.0');
    // Of a tree without git.
    await rm(commit);
    assert.equal(await told('0.3.0-dev'), '0.3.0-dev');
    await told(manifest.version);
  });

  it('has types for Node and for pages', async () => {
    await writeFile(path.join(dir.path, 'consumer.ts'), CONSUMER);
    await compile(dir.path, 'consumer.ts', { module: 'nodenext', moduleResolution: 'nodenext', types: ['node'] });
    await writeFile(path.join(dir.path, 'page.ts'), PAGE);
    const lib = ['ES2022', 'DOM', 'DOM.AsyncIterable'];
    await compile(dir.path, 'page.ts', { module: 'esnext', moduleResolution: 'bundler', types: [], lib, noEmit: true });
  });

  it('has the lab of a program as the README shows it: the compiler takes it, and it is gone at its end', async () => {
    const readme = await readFile(path.join(root, 'README.md'), 'utf8');
    const [, program = ''] = /```ts two\.ts\n([^]*?)```/.exec(readme) ?? [];
    assert.ok(program.includes('await using'), 'the README shows no program');
    assert.ok(program.trim().split('\n').length <= 15);
    await writeFile(path.join(dir.path, 'lab.ts'), program);
    // Node 20 has no `await using`: the compiler makes it something that it has.
    const options = { module: 'nodenext', moduleResolution: 'nodenext', target: 'ES2023', types: ['node'] };
    await compile(dir.path, 'lab.ts', options);
    const server = await testServer();
    try {
      const { stdout } = await run(process.execPath, ['lab.js', server.url], { cwd: dir.path });
      assert.equal(stdout, 'PC1 reaches PC2\n');
      const left = (await (await fetch(`${server.url}/v2/projects`)).json()) as unknown[];
      assert.deepEqual(left, []);
      const wrong = program.replace('ping 10.0.0.2', 'ping 10.0.0.9').replace('/icmp_seq=1/', '/not reachable/');
      await writeFile(path.join(dir.path, 'wrong.ts'), wrong);
      await compile(dir.path, 'wrong.ts', options);
      await assert.rejects(run(process.execPath, ['wrong.js', server.url], { cwd: dir.path }), /AssertionError/);
      assert.deepEqual(await (await fetch(`${server.url}/v2/projects`)).json(), []);
    } finally {
      await server.close();
    }
  });

  it('serves, and its client speaks with what it serves', async () => {
    const [first, last] = await portBlock();
    const flags = ['--port', '0', '--data-dir', path.join(dir.path, 'data'), '--console-ports', `${first}-${last}`];
    // In a group of its own: npx has the server as its grandchild.
    const npx = spawn('npx', ['--no', '--offline', 'topolog', 'serve', ...flags], {
      cwd: dir.path,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = once(npx, 'exit');
    let output = '';
    try {
      const url = await new Promise<string>((resolve, reject) => {
        const hear = (chunk: Buffer): void => {
          output += chunk.toString();
          const [, found] = /listens on (\S+),/.exec(output) ?? [];
          if (found !== undefined) resolve(found);
        };
        npx.stdout.on('data', hear);
        npx.stderr.on('data', hear);
        npx.once('exit', () => reject(new Error(`it did not start: ${output}`)));
      });
      const { stdout } = await run(process.execPath, ['consumer.js', url], { cwd: dir.path });
      assert.equal(stdout, 'from a package\n');
      assert.equal((await ended)[0], 0, output);
    } finally {
      if (npx.exitCode === null && npx.pid !== undefined) process.kill(-npx.pid, 'SIGKILL');
    }
  });
});
