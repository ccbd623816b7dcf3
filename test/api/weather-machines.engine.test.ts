import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { fates, PROBES } from './storm.ts';

const run = promisify(execFile);
const SEED = 7;

/** A network namespace with nothing but its loopback, and a host name: what a machine of its own has. */
const elsewhere = (program: string, ...args: string[]): [string, string[]] => [
  'unshare',
  [
    process.getuid?.() === 0 ? '-nu' : '-rnu',
    ...['sh', '-c', 'hostname second && ip link set lo up && exec "$@"', 'sh'],
    program,
    ...args,
  ],
];

const lacks = async (): Promise<string | false> => {
  if (process.platform !== 'linux') return 'network namespaces are there on Linux only';
  return run(...elsewhere('true')).then(
    () => false,
    (error: unknown) => `no network namespace can be made: ${String(error)}`,
  );
};

/** Its own interfaces, as the second machine has to see none of the first. */
const INTERFACES =
  "process.stderr.write(Object.keys(require('os').networkInterfaces()).join() + ' ' + require('os').hostname())";

/*
 * What a second machine has of its own, and why it decides nothing:
 * - its network, its name, its ports, its paths, its processes: a link is known by the names of its ends in the lab, not by any of these;
 * - its clock, its time zone, its language: what happens to a frame follows from its number on the link, and no name is compared by a locale;
 * - ids, which each server draws: the seed of a link is made of the lab's seed and those names;
 * - its speed: what is drawn is drawn frame by frame, so that only the order counts, which the sender makes;
 * - its processor: the generator has integers of 32 bits only, which ECMAScript defines to the bit.
 * All but the last are another one here, speed as well, as the second machine has the lowest priority.
 */
it(
  'a storm of one seed loses, doubles and delays the same frames on a second machine',
  { timeout: 300_000, skip: await lacks() },
  async () => {
    const here = await fates(SEED);
    assert.equal(here.length, PROBES);
    const storm = JSON.stringify(new URL('storm.js', import.meta.url).href);
    const flags = JSON.stringify(['--console-ports', '40000-40999']);
    const script = `${INTERFACES}; import(${storm}).then((s) => s.fates(${SEED}, ${flags})).then((f) => console.log(JSON.stringify(f)))`;
    const env = {
      ...process.env,
      TZ: 'Asia/Kathmandu',
      LANG: 'tr_TR.UTF-8',
      TOPOLOG_TEST_CLOCK_OFF: String(-36 * 3_600_000),
      NODE_OPTIONS: `--import ${pathToFileURL(path.resolve('dist/test/support/shifted-clock.js')).href}`,
    };
    const [program, args] = elsewhere('nice', '-n', '19', process.execPath, '-e', script);
    const { stdout, stderr } = await run(program, args, { env, maxBuffer: 1 << 26 });
    assert.match(stderr, /^(lo)? second/);
    assert.deepEqual(JSON.parse(stdout), here);
  },
);
