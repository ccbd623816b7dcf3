import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { tempDir } from '../support/temp.ts';

const { licences } = (await import(pathToFileURL(path.resolve('scripts/licences.mjs')).href)) as {
  licences: () => { name: string };
};

interface Manifest {
  version: string;
  devDependencies: Record<string, string>;
}
const json = async <T>(file: string): Promise<T> => JSON.parse(await readFile(file, 'utf8')) as T;

describe('package.json', () => {
  it('has the version of the last release where nothing came after it, else the next one with -dev', async () => {
    const { version } = await json<Manifest>('package.json');
    const [, unreleased = '', last = ''] =
      /^## Unreleased\n([^]*?)^## (\d+\.\d+\.\d+) /m.exec(await readFile('CHANGELOG.md', 'utf8')) ?? [];
    if (version === last) assert.equal(unreleased.trim(), '');
    else {
      assert.match(version, /^\d+\.\d+\.\d+-dev$/);
      assert.equal(version.localeCompare(last, 'en', { numeric: true }), 1, `${version} is not after ${last}`);
    }
  });

  it('and package-lock.json name the same packages, and the lock no registry', async () => {
    const { devDependencies } = await json<Manifest>('package.json');
    const text = await readFile('package-lock.json', 'utf8');
    const { packages } = JSON.parse(text) as { packages: Record<string, { name?: string }> };
    for (const [name, range] of Object.entries(devDependencies)) {
      const [, alias = name] = /^npm:(.+)@/.exec(range) ?? [];
      assert.equal(packages[`node_modules/${name}`]?.name ?? name, alias);
    }
    assert.doesNotMatch(text, /"resolved"/);
  });
});

describe('the licences of what is bundled', () => {
  /** What is written beside the bundle of a program that imports the package `used`. */
  const bundled = async (directory: string, manifest: object, files: Record<string, string>): Promise<string> => {
    const used = path.join(directory, 'node_modules/used');
    await mkdir(path.join(used, 'inner/code'), { recursive: true });
    await writeFile(path.join(directory, 'main.js'), "import { one } from 'used';\nconsole.log(one());\n");
    const all = { 'package.json': JSON.stringify({ name: 'used', version: '1.2.3', main: 'one.js', ...manifest }) };
    for (const [name, text] of Object.entries({ ...all, ...files })) await writeFile(path.join(used, name), text);
    await build({
      root: directory,
      configFile: false,
      logLevel: 'silent',
      plugins: [licences()],
      ssr: { noExternal: true },
      build: { ssr: path.join(directory, 'main.js'), outDir: 'made' },
    });
    return readFile(path.join(directory, 'made/THIRD-PARTY-LICENSES.txt'), 'utf8');
  };

  it('are its own, those of what it took from others, and those that a file of it has', async (t) => {
    const dir = await tempDir();
    t.after(dir.remove);
    const told = await bundled(
      dir.path,
      { license: 'MPL-2.0', repository: 'them/used' },
      {
        'one.js': '/* Of Ann. Permission is hereby granted to Ben. */\nexport const one = () => process.pid;\n',
        LICENSE: 'You may use it.\n',
        'inner/COPYING.md': 'The inner one as well.\n',
        'inner/code/license.js': 'no text\n',
        'unused.js': '/* Redistribution and use of what is not here. */\n',
      },
    );
    const [, entry = ''] = told.split(/\n-+\n/);
    assert.equal(
      entry.trim(),
      [
        'used 1.2.3\nLicence: MPL-2.0\nSource: https://github.com/them/used, or: npm pack used@1.2.3',
        'You may use it.',
        'The inner one as well.',
        '/* Of Ann. Permission is hereby granted to Ben. */',
      ].join('\n\n'),
    );
  });

  it('fail the build where a package has none, or no place of the source that its licence wants told', async (t) => {
    const dir = await tempDir();
    t.after(dir.remove);
    const code = { 'one.js': 'export const one = () => process.pid;\n' };
    await assert.rejects(
      bundled(dir.path, { license: 'MIT' }, code),
      /used 1\.2\.3 is bundled and has no text of its licence \(MIT\)/,
    );
    await assert.rejects(
      bundled(dir.path, { license: 'EPL-2.0' }, { ...code, LICENSE: 'You may.\n' }),
      /used 1\.2\.3 \(EPL-2\.0\) says no place of its source/,
    );
  });
});
