import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { TopologError } from '../../src/common/errors.ts';
import { compileBpf } from '../../src/fabric/filters/compile-bpf.ts';
import { loadProgram, matches, run, type Instruction } from '../../src/fabric/filters/bpf.ts';
import { LINK_TYPES, pcapHeader, writeRecord } from '../../src/fabric/capture/pcap.ts';
import { createRandom } from '../../src/fabric/filters/random.ts';
import { missing } from '../support/programs.ts';
import { temporaryDirectory } from './lab.ts';

const skip = await missing('tcpdump');

const evaluate = (instructions: Instruction[], frame = new Uint8Array(0)): number =>
  run(loadProgram(instructions), frame);
/** A op k, from `a`; with `x`, A op X. */
const alu = (operation: number, a: number, b: number, withX: boolean): number =>
  evaluate(
    withX
      ? [
          [0x01, 0, 0, b],
          [0x00, 0, 0, a],
          [0x04 | 0x08 | operation, 0, 0, 0],
          [0x16, 0, 0, 0],
        ]
      : [
          [0x00, 0, 0, a],
          [0x04 | operation, 0, 0, b],
          [0x16, 0, 0, 0],
        ],
  );

const u32 = fc.integer({ min: 0, max: 0xffff_ffff });

describe('the BPF machine', () => {
  it('computes with unsigned words of 32 bits', () => {
    const mod = (value: bigint): number => Number(BigInt.asUintN(32, value));
    const operations: [number, (a: bigint, b: bigint) => number][] = [
      [0x00, (a, b) => mod(a + b)],
      [0x10, (a, b) => mod(a - b)],
      [0x20, (a, b) => mod(a * b)],
      [0x30, (a, b) => (b === 0n ? 0 : mod(a / b))],
      [0x40, (a, b) => mod(a | b)],
      [0x50, (a, b) => mod(a & b)],
      [0x60, (a, b) => (b > 31n ? 0 : mod(a << b))],
      [0x70, (a, b) => (b > 31n ? 0 : mod(a >> b))],
      [0x80, (a) => mod(-a)],
      [0x90, (a, b) => (b === 0n ? 0 : mod(a % b))],
      [0xa0, (a, b) => mod(a ^ b)],
    ];
    const second = fc.oneof(u32, fc.integer({ min: 0, max: 40 }));
    fc.assert(
      fc.property(fc.constantFrom(...operations), u32, second, fc.boolean(), ([code, expected], a, b, withX) => {
        assert.equal(alu(code, a, b, withX), expected(BigInt(a), BigInt(b)));
      }),
      { numRuns: 1000 },
    );
  });

  it('compares without sign', () => {
    const compare = (code: number, a: number, b: number): number =>
      evaluate([
        [0x00, 0, 0, a],
        [0x05 | code, 0, 1, b],
        [0x06, 0, 0, 1],
        [0x06, 0, 0, 0],
      ]);
    fc.assert(
      fc.property(u32, u32, (a, b) => {
        assert.equal(compare(0x10, a, b), a === b ? 1 : 0);
        assert.equal(compare(0x20, a, b), a > b ? 1 : 0);
        assert.equal(compare(0x30, a, b), a >= b ? 1 : 0);
        assert.equal(compare(0x40, a, b), (a & b) !== 0 ? 1 : 0);
      }),
    );
  });

  it('loads words, half words and octets, and matches nothing outside the frame', () => {
    const frame = Uint8Array.of(0x81, 0x82, 0x83, 0x84, 0x85);
    const load = (code: number, k: number): number =>
      evaluate(
        [
          [code, 0, 0, k],
          [0x16, 0, 0, 0],
        ],
        frame,
      );
    assert.equal(load(0x20, 1), 0x82838485);
    assert.equal(load(0x28, 3), 0x8485);
    assert.equal(load(0x30, 4), 0x85);
    assert.equal(load(0x80, 0), 5);
    for (const [code, k] of [
      [0x20, 2],
      [0x28, 4],
      [0x30, 5],
      [0x20, 0xffff_fffe],
      [0x30, 0xffff_f004],
    ] as const)
      assert.equal(load(code, k), 0);
    const indirect = (x: number): number =>
      evaluate(
        [
          [0x01, 0, 0, x],
          [0x50, 0, 0, 1],
          [0x16, 0, 0, 0],
        ],
        frame,
      );
    assert.equal(indirect(2), 0x84);
    assert.equal(indirect(0xffff_ffff), 0);
  });

  it('keeps scratch words, moves between A and X, and reads a header length', () => {
    const program: Instruction[] = [
      [0xb1, 0, 0, 0],
      [0x03, 0, 0, 2],
      [0x60, 0, 0, 2],
      [0x07, 0, 0, 0],
      [0x00, 0, 0, 1],
      [0x0c, 0, 0, 0],
      [0x02, 0, 0, 3],
      [0x61, 0, 0, 3],
      [0x87, 0, 0, 0],
      [0x16, 0, 0, 0],
    ];
    assert.equal(evaluate(program, Uint8Array.of(0x45)), 21);
  });

  it('forgets the scratch words of the frame before', () => {
    const set = loadProgram([
      [0x00, 0, 0, 9],
      [0x02, 0, 0, 0],
      [0x16, 0, 0, 0],
    ]);
    const get = loadProgram([
      [0x60, 0, 0, 0],
      [0x16, 0, 0, 0],
    ]);
    assert.equal(run(set, new Uint8Array(0)), 9);
    assert.equal(run(get, new Uint8Array(0)), 0);
  });

  it('ends a loop that would never end', () => {
    assert.equal(
      evaluate([
        [0x05, 0, 0, 0xffff_ffff],
        [0x06, 0, 0, 1],
      ]),
      0,
    );
  });

  it('refuses programs that could leave their bounds', () => {
    const bad: Instruction[][] = [
      [],
      [[0x00, 0, 0, 1]],
      [
        [0x15, 0, 5, 1],
        [0x06, 0, 0, 1],
      ],
      [
        [0x05, 0, 0, 0xffff_fff0],
        [0x06, 0, 0, 1],
      ],
      [
        [0x02, 0, 0, 16],
        [0x06, 0, 0, 1],
      ],
      [
        [0x60, 0, 0, -1],
        [0x06, 0, 0, 1],
      ],
      [[0x06, 0, 0, 0.5]],
    ];
    for (const program of bad) assert.throws(() => loadProgram(program), /BPF/);
  });
});

describe('tcpdump as compiler', () => {
  it('compiles an expression, and once only', { skip }, async () => {
    const [first, second] = [compileBpf('icmp'), compileBpf(' icmp ')];
    assert.equal(first, second);
    assert.ok((await first).length > 3);
  });

  it('answers a bad expression with what tcpdump says', { skip }, async () => {
    const isInvalid = (error: unknown): boolean =>
      error instanceof TopologError &&
      error.code === 'invalid_request' &&
      /no such expression.*: ./.test(error.message);
    await assert.rejects(compileBpf('no such expression'), isInvalid);
  });

  it('takes an expression that looks like an option as an expression', { skip }, async (t) => {
    const directory = await temporaryDirectory(t);
    await assert.rejects(compileBpf(`-w ${join(directory, 'written')}`), TopologError);
    await assert.rejects(compileBpf('--version'), TopologError);
  });

  it('refuses nothing and control characters before it asks', async () => {
    for (const expression of ['', '   ', 'icmp\nor arp', 'ic\u0000mp', 'x'.repeat(5000)])
      await assert.rejects(compileBpf(expression), /filter bpf/);
  });

  it('and the machine here agree with tcpdump on random frames', { skip }, async (t) => {
    const file = join(await temporaryDirectory(t), 'frames.pcap');
    const frames = randomFrames(400);
    const buffer = Buffer.alloc(400 * 200);
    let end = 0;
    frames.forEach((frame, index) => (end = writeRecord(buffer, end, (index + 1) * 1_000_000, frame)));
    await writeFile(file, Buffer.concat([pcapHeader(LINK_TYPES.DLT_EN10MB), buffer.subarray(0, end)]));
    for (const expression of EXPRESSIONS) {
      const { stdout } = await promisify(execFile)('tcpdump', ['-n', '-tt', '-q', '-r', file, '--', expression]);
      const expected = stdout
        .split('\n')
        .flatMap((line) => /^(\d+)\.0+ /.exec(line)?.[1] ?? [])
        .map((s) => Number(s) - 1);
      const program = loadProgram(await compileBpf(expression));
      const found = frames.flatMap((frame, index) => (matches(program, frame) ? [index] : []));
      assert.deepEqual(found, expected, expression);
      assert.ok(found.length > 0, `${expression} matches some of the frames`);
    }
  });
});

const EXPRESSIONS = [
  'icmp',
  'arp',
  'ip6',
  'udp port 53',
  'tcp dst portrange 1-30000',
  'ip host 10.0.0.1',
  'net 10.0.0.0/9',
  'vlan and arp',
  'ether[0] & 1 != 0',
  'ip[8] < 64 and not tcp',
  'len >= 100',
  'ip[2:2] / ip[8] > 300',
  'icmp[icmptype] == icmp-echo',
  'ether broadcast or ip proto 17',
  'ip6 protochain 6',
];

/** Frames that are often, though not always, what the expressions look for. */
function randomFrames(count: number): Uint8Array[] {
  const random = createRandom(2024);
  const below = (limit: number): number => Math.floor(random() * limit);
  const pick = (...choices: number[]): number => choices[below(choices.length)] ?? 0;
  return Array.from({ length: count }, () => {
    const frame = Uint8Array.from({ length: 1 + below(160) }, () => below(256));
    const put = (at: number, ...octets: number[]): void =>
      octets.forEach((o, n) => at + n < frame.length && (frame[at + n] = o));
    if (below(4) === 0) put(0, 255, 255, 255, 255, 255, 255);
    const type = pick(0x0800, 0x0800, 0x0806, 0x86dd, 0x8100);
    put(12, type >> 8, type & 255);
    if (type === 0x8100) put(16, 8, pick(0, 6));
    if (type === 0x0800) {
      put(14, pick(0x45, 0x46));
      put(20, pick(0, 0, 0x20), 0);
      put(22, pick(0, 1, 64, 200), pick(1, 6, 17));
      put(26, 10, pick(0, 200), 0, pick(1, 2));
      put(34, pick(0, 8, 8), pick(0, 80), 0, 53);
    }
    if (type === 0x86dd) put(20, pick(6, 0, 60, 17));
    return frame;
  });
}
