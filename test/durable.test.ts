import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { before, describe, it, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { programFile } from '../src/common/package.ts';
import { which } from '../src/emulators/shared/process/find-program.ts';
import { addUser } from '../src/http/access/users.ts';
import { tempDir } from './support/temp.ts';

/** Where the compiled sources are. */
const SRC = path.resolve(import.meta.dirname, '../src');
const CALLS = 'fsync,fdatasync,rename,renameat,renameat2,mkdir,mkdirat,link,linkat,unlink,unlinkat';

/** What a program does to the file system, in order: `fsync users.new`, `rename users`. Names are below `root`. */
const traced = async (root: string, ...args: string[]): Promise<string[]> => {
  const out = path.join(root, '..', 'trace');
  await promisify(execFile)('strace', ['-f', '-y', '-o', out, '-e', `trace=${CALLS}`, process.execPath, ...args]);
  const lines = joined(await readFile(out, 'latin1'));
  return lines.flatMap((line) => {
    const [, call = '', words = ''] = /(\w+)\((.*)\) = 0$/.exec(line) ?? [];
    const names = [...words.matchAll(/[<"](\/[^>"]*)[>"]/g)].map(([, name = '']) => name);
    const name = names.at(-1);
    if (name !== root && name?.startsWith(`${root}/`) !== true) return [];
    return [`${call.replace(/at2?$/, '').replace('fdata', 'f')} ${path.relative(root, name) || '.'}`];
  });
};

/** A call that others interrupt has two lines: they count where it ends. */
const joined = (text: string): string[] => {
  const begun = new Map<string, string>();
  return text.split('\n').flatMap((line) => {
    const [, pid = '', rest = ''] = /^(\d+)\s+(.*)$/.exec(line) ?? [];
    if (rest.endsWith(' <unfinished ...>')) {
      begun.set(pid, rest.slice(0, -' <unfinished ...>'.length));
      return [];
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest)?.[1];
    return [(resumed === undefined ? rest : `${begun.get(pid) ?? ''}${resumed}`).replace(/\)\s+= 0$/, ') = 0')];
  });
};

const inOrder = (calls: readonly string[], wanted: readonly RegExp[]): void => {
  let at = 0;
  for (const pattern of wanted) {
    const next = calls.findIndex((call, index) => index >= at && pattern.test(call));
    assert.ok(next >= 0, `no ${String(pattern)} after ${calls.slice(0, at).join(', ')} in ${calls.join(', ')}`);
    at = next + 1;
  }
};

let lacking: string | false = false;
before(async () => {
  if ((await which('strace')) === null) lacking = 'strace is not installed';
});

const placeFor = async (t: TestContext): Promise<string> => {
  const dir = await tempDir();
  t.after(dir.remove);
  const root = path.join(await realpath(dir.path), 'data');
  await mkdir(root);
  return root;
};

/** Runs statements with everything that these modules export. */
const script = (modules: readonly string[], text: string): string[] => {
  const imports = modules.map((name, n) => `import * as m${n} from ${JSON.stringify(path.join(SRC, name))};`);
  return ['--input-type=module', '-e', `${imports.join('\n')}\n${text}`];
};

describe('what was answered is on disk with its name', () => {
  it('a user who was removed: the new file, its name, then its directory', async (t) => {
    if (lacking !== false) return t.skip(lacking);
    const root = await placeFor(t);
    await addUser(path.join(root, 'users'), 'ada', 'secret words');
    const calls = await traced(root, programFile('cli/topolog'), 'user', 'remove', 'ada', '--data-dir', root);
    inOrder(calls, [/^fsync users\.new$/, /^rename users$/, /^fsync \.$/]);
  });

  it('an upload: content and plan with every directory above before the event, the new name before the plan goes', async (t) => {
    if (lacking !== false) return t.skip(lacking);
    const root = await placeFor(t);
    const text = `
      const place = ${JSON.stringify(path.join(root, 'projects/p'))};
      const target = { root: place, name: 'a/b', version: 0 };
      const content = (await import('node:stream')).Readable.from([Buffer.from('x')]);
      const { file } = await m0.stageUpload(place, 'u', target, { content, limit: 9 });
      (await import('node:fs')).mkdirSync(${JSON.stringify(path.join(root, 'event'))});
      await m0.placeUpload(place, 'u', file);
      await m0.discardUpload(place, 'u');`;
    const calls = await traced(root, ...script(['files/uploads.js'], text));
    const event = calls.indexOf('mkdir event');
    const before = calls.slice(0, event);
    const staging = 'projects/p/.topolog/upload-u';
    for (const name of [`${staging}/content`, staging, 'projects/p/.topolog', 'projects/p', 'projects', '.'])
      assert.ok(before.includes(`fsync ${name}`), `${name} is not on disk before the event: ${before.join(', ')}`);
    inOrder(before, [/^fsync .*topolog-tmp$/, /^rename .*plan\.json$/, /^fsync projects\/p\/\.topolog\/upload-u$/]);
    inOrder(calls.slice(event), [/^rename projects\/p\/a\/b$/, /^fsync projects\/p\/a$/, /^unlink .*plan\.json$/]);
  });

  it('an upload and a snapshot whose new names the server did not live to put on disk: the next start does', async (t) => {
    if (lacking !== false) return t.skip(lacking);
    const root = await placeFor(t);
    const place = path.join(root, 'projects/p');
    await mkdir(path.join(place, 'a'), { recursive: true });
    await mkdir(path.join(place, 'snapshots/s'), { recursive: true });
    await mkdir(path.join(place, '.topolog/upload-u'), { recursive: true });
    await writeFile(path.join(place, '.topolog/upload-u/plan.json'), '');
    const text = `
      await m0.placeUpload(${JSON.stringify(place)}, 'u', ${JSON.stringify(path.join(place, 'a/b'))});
      await m0.discardUpload(${JSON.stringify(place)}, 'u');
      const known = { snapshots: new Set(['s']), staged: null, own: true };
      await m1.sweepProject(${JSON.stringify(place)}, known, () => undefined);`;
    const calls = await traced(root, ...script(['files/uploads.js', 'files/project/sweep.js'], text));
    inOrder(calls, [/^fsync projects\/p\/a$/, /^unlink .*plan\.json$/, /^fsync projects\/p\/snapshots$/]);
    assert.ok(calls.includes('fsync projects/p'), calls.join(', '));
  });

  it('a symbol and a licence: bytes, name, directory', async (t) => {
    if (lacking !== false) return t.skip(lacking);
    const root = await placeFor(t);
    const text = `
      const prepared = await m0.prepareFile(${JSON.stringify(path.join(root, 'symbols/a.svg'))}, Buffer.from('x'), 0o644);
      await prepared.commit();`;
    const calls = await traced(root, ...script(['files/project/prepared-file.js'], text));
    inOrder(calls, [/^fsync \.$/, /^fsync symbols\/.*topolog-tmp$/, /^rename symbols\/a\.svg$/, /^fsync symbols$/]);
  });

  it('the keys of a data directory, made by their first use', async (t) => {
    if (lacking !== false) return t.skip(lacking);
    const root = await placeFor(t);
    const text = `await m0.openSessionKey(${JSON.stringify(root)}); await m1.ticketKey(${JSON.stringify(root)});`;
    const calls = await traced(root, ...script(['session/keys.js', 'http/access/tickets.js'], text));
    inOrder(calls, [
      /^fsync \.$/,
      /^rename keys\/session\.pem$/,
      /^fsync keys$/,
      /^link keys\/login\.key$/,
      /^fsync keys$/,
    ]);
  });

  it('a project that was imported: every directory of it before the event, its name before the plan goes', async (t) => {
    if (lacking !== false) return t.skip(lacking);
    const root = await placeFor(t);
    const place = path.join(root, 'projects/p');
    const text = `
      const fs = await import('node:fs');
      const staged = await m0.stageProject(${JSON.stringify(root)}, ${JSON.stringify(place)});
      fs.mkdirSync(staged.directory + '/a/b', { recursive: true });
      await staged.ready();
      fs.mkdirSync(${JSON.stringify(path.join(root, 'event'))});
      await staged.place();`;
    const calls = await traced(root, ...script(['files/project/staged-project.js'], text));
    const event = calls.indexOf('mkdir event');
    inOrder(calls.slice(0, event), [
      /^fsync staging\/p\/project\/a\/b$/,
      /^fsync staging\/p\/project$/,
      /plan\.json$/,
      /^fsync staging\/p$/,
    ]);
    inOrder(calls.slice(event), [/^rename projects\/p$/, /^fsync projects$/, /^unlink .*plan\.json$/]);
  });
});
