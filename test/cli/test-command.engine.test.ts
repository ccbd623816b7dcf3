import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { programFile } from '../../src/common/package.ts';
import { parseJunit } from '../support/junit.ts';
import { makeTemp } from '../support/temp.ts';

const run = promisify(execFile);
const has = (program: string, ...args: string[]): Promise<boolean> =>
  run(program, args).then(
    () => true,
    () => false,
  );

/** Twenty PCs at one switch, and twenty checks. `wrong`: the last one has an address in another network. */
const labText = (wrong = false): string => {
  const hosts = Array.from({ length: 19 }, (_, index) => index + 1);
  const net = (host: number): number => (wrong && host === 19 ? 1 : 0);
  return [
    ...['lab: Twenty', 'version: 1', 'nodes:'],
    `  SW: { kind: ethernet_hub, properties: { ports_mapping: [${hosts.map((n) => `{ name: Ethernet${n}, port_number: ${n - 1} }`).join(', ')}] } }`,
    ...hosts.map((n) => `  PC${n}: { kind: simple_pc, address: 10.0.${net(n)}.${n}/24 }`),
    ...['links:', ...hosts.map((n) => `  - [PC${n}:0, SW:${n - 1}]`)],
    ...['checks:', ...hosts.slice(1).map((n) => `  - PC1 reaches PC${n} within 20s`)],
    '  - { name: no other net, capture: { link: [PC1, SW], filter: net 10.9.0.0/16, is: never } }',
    '  - { name: runs, state: { node: PC1, is: started } }',
    '',
  ].join('\n');
};

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

const topolog = async (cwd: string, ...args: string[]): Promise<Ended> => {
  try {
    const { stdout, stderr } = await run(process.execPath, [programFile('cli/topolog'), ...args], { cwd });
    return { code: 0, stdout, stderr };
  } catch (error) {
    return error as Ended;
  }
};

/** What junitparser (Debian's python3-junitparser) finds in a file: its own numbers, and the names and the outcomes of its cases. */
const READ = `
import json, sys
sys.path.append('/usr/lib/python3/dist-packages')
from junitparser import JUnitXml
[suite] = list(JUnitXml.fromfile(sys.argv[1]))
broken = [[case.name, type(result).__name__] for case in suite for result in case.result]
print(json.dumps([suite.name, suite.tests, suite.failures, suite.errors, len({case.name for case in suite}), broken]))
`;
const read = async (file: string): Promise<unknown> => JSON.parse((await run('python3', ['-c', READ, file])).stdout);

const missing = async (t: TestContext): Promise<boolean> => {
  for (const [program, ...args] of [
    ['tcpdump', '--version'],
    ['python3', '--version'],
  ] as const)
    if (!(await has(program, ...args))) {
      t.skip(`${program} is not installed`);
      return true;
    }
  return false;
};

test('a lab of a text is tested, and the outcome is read by a parser of JUnit', { timeout: 300_000 }, async (t) => {
  if (await missing(t)) return;
  const dir = await makeTemp('topolog-test-command');
  await writeFile(path.join(dir, 'good.yaml'), labText());
  await writeFile(path.join(dir, 'bad.yaml'), labText(true).replace('PC19 within 20s', 'PC19 within 2s'));
  await writeFile(path.join(dir, 'wrong.yaml'), 'lab: x\nversion: 1\nnodes: 5\n');

  const good = await topolog(dir, 'test', 'good.yaml', '--junit', 'good.xml');
  assert.equal(good.code, 0, good.stdout + good.stderr);
  assert.match(good.stdout, /20 of 20 passed/);
  assert.deepEqual(await parseJunit(path.join(dir, 'good.xml')), [20, 0, []]);

  const bad = await topolog(dir, 'test', 'bad.yaml', '--junit', 'bad.xml');
  assert.equal(bad.code, 1, bad.stdout + bad.stderr);
  const parsed = await parseJunit(path.join(dir, 'bad.xml'));
  assert.deepEqual(parsed.slice(0, 2), [20, 1]);
  assert.match(parsed[2][0] ?? '', /^PC1 does not reach PC19/);
  if (existsSync('/usr/lib/python3/dist-packages/junitparser')) {
    assert.deepEqual(await read(path.join(dir, 'good.xml')), ['Twenty', 20, 0, 0, 20, []]);
    const failure = [['PC1 reaches PC19', 'Failure']];
    assert.deepEqual(await read(path.join(dir, 'bad.xml')), ['Twenty', 20, 1, 0, 20, failure]);
  } else t.diagnostic('python3-junitparser is not installed: the file was read as XML alone');
  const session = await topolog(dir, 'verify', 'bad.topolog-session');
  assert.equal(session.code, 0, session.stdout + session.stderr);
  assert.match(await readFile(path.join(dir, 'bad.topolog-session'), 'utf8'), /"check\.broken"/);

  const wrong = await topolog(dir, 'test', 'wrong.yaml');
  assert.equal(wrong.code, 2, wrong.stdout + wrong.stderr);
  assert.match(wrong.stderr, /wrong\.yaml:\d+:\d+: nodes/);
});

test('ten tests run beside each other and leave nothing behind', { timeout: 300_000 }, async (t) => {
  if (await missing(t)) return;
  const dir = await makeTemp('topolog-test-ten');
  const scratch = path.join(dir, 'tmp');
  await mkdir(scratch);
  await writeFile(path.join(dir, 'lab.yaml'), labText());
  const env = { ...process.env, TMPDIR: scratch };
  const ends = await Promise.all(
    Array.from({ length: 10 }, () =>
      run(process.execPath, [programFile('cli/topolog'), 'test', 'lab.yaml'], { cwd: dir, env }),
    ),
  );
  for (const { stdout } of ends) assert.match(stdout, /20 of 20 passed/);
  // The directory of the fabrics' sockets is everybody's.
  const left = await readdir(scratch);
  assert.deepEqual(
    left.filter((name) => name.startsWith('topolog-test-')),
    [],
  );
});
