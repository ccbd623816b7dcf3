// Follows the pages to the letter: runs each of their command blocks and compares what is printed with what the page shows.
//   npm run docs:try [-- --fresh]
// Only places are others: directories below /tmp, the home directory, the port and the address that the server listens on.
//
// A block is ```sh; a second word says more of it: `server` does not end and is stopped with Ctrl+C before the next server or at the end, `fresh`
// is for a fresh clone, so that it needs the network, and is left out without --fresh. What a fence without a language shows behind it must be
// printed: all of it in that order, `...` stands for any lines. ```ts NAME is a file of that name in the clone. ```console is typed at what the block before has opened, from prompt to prompt.
// Exit code: 0 all is as the pages say, 1 something differs, 77 a program that they name is not installed.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const PAGES = [
  'README.md',
  ...['first-lab', 'who-broke-it', 'existing-clients'].map((name) => `docs/tutorials/${name}.md`),
  'examples/labs/README.md',
];
/** Programs that a machine with Node may lack. */
const PROGRAMS = ['bash', 'curl', 'tshark'];
const NOT_INSTALLED = 77;
/** Longest block. Milliseconds. */
const PATIENCE_MS = 60_000;

/** For those that ask for a password. */
const ANSWER = 'a password\n';

const say = (text) => process.stdout.write(`${text}\n`);

/** Command blocks of a page, each with what is to be printed, or typed, behind it. */
const blocksOf = (page) => {
  const blocks = [];
  const fences = /^```(.*)\n([\s\S]*?)^```$/gm;
  const text = readFileSync(path.join(root, page), 'utf8');
  for (const [fence, info, body] of text.matchAll(fences)) {
    const at = text.indexOf(fence);
    const [language, ...words] = info.split(' ');
    const last = blocks.at(-1);
    if (language === 'sh')
      blocks.push({
        page,
        line: text.slice(0, at).split('\n').length,
        body,
        is: new Set(words),
        shown: null,
        typed: null,
      });
    else if (language === 'ts' && words.length > 0) blocks.push({ body, is: new Set(), file: words[0] });
    else if (language === '' && last?.shown === null) last.shown = body.trimEnd().split('\n');
    else if (language === 'console' && last?.typed === null) last.typed = body.trimEnd().split('\n');
  }
  return blocks;
};

const freePort = async () => {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return String(port);
};

const work = mkdtempSync(path.join(tmpdir(), 'topolog-docs-'));
const port = await freePort();
const isFresh = process.argv.includes('--fresh');
const env = { ...process.env, HOME: path.join(work, 'home'), USER: 'ada', TOPOLOG_PORT: port, NO_COLOR: '1' };
for (const name of ['XDG_DATA_HOME', 'TOPOLOG_HOST', 'TOPOLOG_DATA_DIR']) delete env[name];
mkdirSync(env.HOME);

const placed = (text) =>
  text.replaceAll('/tmp/', `${work}/`).replaceAll(':3080', `:${port}`).replaceAll('0.0.0.0', '127.0.0.1');

/** Removes output that differs from run to run, and replaces directories by those of the page. */
const normal = (line) =>
  line
    .replaceAll(work, '/tmp')
    .replaceAll(`:${port}`, ':3080')
    .replace(/\u001b\[[\d;]*m|\r/g, '')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/\b[0-9a-f]{64}\b/g, 'SHA-256')
    .replace(/\b\d+\.\d+ ms\b|\b\d+\.\d{6,9}\b/g, 'DURATION')
    .replace(/\bid=0x[0-9a-f]{4}, seq=\d+\/\d+/g, 'ICMP')
    .replace(/\b(icmp_seq=)\d+/g, '$1N')
    // The server writes the project file when it has nothing else to do, and each time is an event.
    .replace(/^\d+(?= +TIME)|(?<=\(event )\d+|\b(?<=versions 1 to )\d+|^\d+(?= events)/g, 'N')
    .replace(/\btelnet 127\.0\.0\.1 \d+/g, 'telnet 127.0.0.1 PORT')
    .replace(/\s+/g, ' ')
    .trim();

/** The first line of what is to be printed that was not; null: all was. */
const lacking = (wanted, printed) => {
  const lines = printed
    .split('\n')
    .map(normal)
    .filter((line) => line !== '');
  let at = 0;
  let anywhere = false;
  for (const line of wanted.map(normal).filter((one) => one !== '')) {
    if (line === '...') {
      anywhere = true;
      continue;
    }
    const found = anywhere ? lines.indexOf(line, at) : lines[at] === line ? at : -1;
    if (found < 0) return `${line}\n    and not: ${lines[at] ?? 'nothing'}`;
    at = found + 1;
    anywhere = false;
  }
  return at === lines.length || anywhere ? null : `nothing more\n    and not: ${lines[at]}`;
};

/** Variables that a shell keeps from earlier blocks: those that are set for it, not only for the command behind them. */
let kept = 'set -e -o pipefail\nshopt -s expand_aliases\n';
const clone = path.join(work, 'clone');

const begin = (block) => {
  const script = `${kept}${placed(block.body)}`;
  kept += placed(block.body)
    .split('\n')
    .filter((line) => /^(alias |export |[A-Z_]+=(\S*|\$\(.*\)|'.*')$)/.test(line))
    .map((line) => `${line}\n`)
    .join('');
  const child = spawn('bash', ['-c', script], { cwd: block.is.has('fresh') ? clone : root, env, detached: true });
  const run = { child, printed: '', said: '', heard: () => undefined, closed: once(child, 'close') };
  child.stdin.on('error', () => undefined);
  for (const [stream, name] of [
    [child.stdout, 'printed'],
    [child.stderr, 'said'],
  ])
    stream.setEncoding('utf8').on('data', (text) => {
      run[name] += text;
      run.heard();
    });
  return run;
};

/** Resolves once it is so. Throws when the block ends before, or takes too long. */
const until = (run, isSo, what) =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`${what} does not come; there is:\n${run.printed}${run.said}`)),
      PATIENCE_MS,
    );
    run.heard = () => {
      if (!isSo()) return;
      clearTimeout(timer);
      resolve();
    };
    run.heard();
    void run.closed.then(() => {
      clearTimeout(timer);
      reject(new Error(`it has ended without ${what}:\n${run.printed}${run.said}`));
    });
  });

const signal = (run, name) => {
  try {
    process.kill(-run.child.pid, name);
  } catch {
    // It has ended.
  }
};

const differs = (wanted, printed) => {
  const lack = lacking(wanted, printed);
  if (lack !== null) throw new Error(`it should print: ${lack}\nIt has printed:\n${printed}`);
};

let server = null;
const stopServer = async () => {
  if (server === null) return;
  signal(server, 'SIGINT');
  await server.closed;
  server = null;
};

const serve = async (block) => {
  await stopServer();
  server = begin(block);
  server.child.stdin.end(ANSWER);
  await until(server, () => /listens on .*\n/.test(server.printed), 'the line of a server that listens');
  if (block.shown === null) return;
  const wanted = ['...', ...block.shown, '...'];
  await until(server, () => lacking(wanted, server.printed) === null, block.shown[0]);
};

/** Types what stands behind a prompt, and compares what comes until the next one. */
const converse = async (block) => {
  const run = begin(block);
  const [prompt] = block.typed[0].split(' ');
  const steps = block.typed.join('\n').split(`${prompt} `).slice(1);
  const isAsking = () => run.printed.endsWith(`${prompt} `);
  await until(run, isAsking, prompt);
  for (const [i, step] of steps.entries()) {
    const [line, ...wanted] = step.trimEnd().split('\n');
    run.printed = '';
    run.child.stdin.write(`${line}\n`);
    const isLast = i === steps.length - 1 && wanted.at(-1) === '...';
    await until(run, () => (isLast ? lacking([line, ...wanted], run.printed) === null : isAsking()), `all of ${line}`);
    if (!isLast) differs([line, ...wanted], run.printed.slice(0, -prompt.length - 1));
  }
  // Background work in the shell is not waited for.
  if (block.typed.at(-1) === '...') signal(run, 'SIGTERM');
  run.child.stdin.end();
  await run.closed;
};

const perform = async (block) => {
  const run = begin(block);
  const late = setTimeout(() => signal(run, 'SIGKILL'), PATIENCE_MS);
  run.child.stdin.end(ANSWER);
  const [code] = await run.closed;
  clearTimeout(late);
  if (code !== 0) throw new Error(`it ends with ${code ?? 'a signal'}:\n${run.printed}${run.said}`);
  if (block.shown !== null) differs(block.shown, run.printed);
};

const saved = [];

/** A program, which the compiler makes another file of. */
const save = ({ file, body }) => {
  const place = path.join(root, file);
  writeFileSync(place, placed(body), { flag: 'wx' });
  saved.push(place, place.replace(/\.ts$/, '.js'));
};

const follow = async (block) => {
  if (block.file !== undefined) return save(block);
  const where = `${block.page}:${block.line}`.padEnd(40);
  const [first] = block.body.split('\n');
  if (block.is.has('fresh') && !isFresh) {
    say(`left out  ${where} ${first} (for a fresh clone: --fresh)`);
    return;
  }
  const began = performance.now();
  await (block.is.has('server') ? serve(block) : block.typed !== null ? converse(block) : perform(block));
  say(`ran       ${where} ${first} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
};

const main = async () => {
  const blocks = PAGES.flatMap(blocksOf);
  const named = PROGRAMS.filter(
    (program) => program === 'bash' || blocks.some(({ body }) => new RegExp(`\\b${program} `).test(body)),
  );
  const missing = named.filter((program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).error !== undefined);
  if (missing.length > 0) {
    say(`not followed, as ${missing.join(' and ')}, which the pages name, cannot be found here`);
    return NOT_INSTALLED;
  }
  if (isFresh) spawnSync('git', ['clone', '-q', root, clone], { stdio: 'inherit' });
  for (const block of blocks)
    try {
      await follow(block);
    } catch (error) {
      say(`DIFFERS   ${block.page}:${block.line}\n${block.body}    ${error.message}`);
      return 1;
    }
  say('all is as the pages say');
  return 0;
};

try {
  process.exitCode = await main();
} finally {
  await stopServer();
  for (const file of saved) rmSync(file, { force: true });
  rmSync(work, { recursive: true, force: true });
}
process.exit();
