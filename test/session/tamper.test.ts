import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { verifySession } from '../../src/session/verify/verify-session.ts';
import { type Random, seeded } from '../faults/prng.ts';
import { recordedLab } from './recorded-lab.ts';

const lab = await recordedLab();
after(() => lab.end());
/** One from the beginning, and one that begins later and so has a base. */
const SESSIONS: [string, Buffer][] = [
  ['a whole session', Buffer.from(await lab.export())],
  ['a part of a session', Buffer.from(await lab.export({ from: 4 }))],
];

const linesOf = (bytes: Buffer): string[] => bytes.toString().split('\n').slice(0, -1);
const joined = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');
const inOneBlock = async function* (bytes: Buffer) {
  yield bytes;
};

/** The line at which a changed session is found broken. Fails when it is accepted. */
const brokenLine = async (changed: Buffer | string, what: string): Promise<number> => {
  const verdict = await verifySession(typeof changed === 'string' ? changed : inOneBlock(changed));
  assert.ok(!verdict.ok, `accepted: ${what}`);
  assert.ok(verdict.line >= 1 && verdict.problem !== '');
  return verdict.line;
};

/** Number of the line in which a byte is. */
const lineAt = (bytes: Buffer, offset: number): number => {
  let line = 1;
  for (let i = bytes.indexOf(10); i !== -1 && i < offset; i = bytes.indexOf(10, i + 1)) line++;
  return line;
};

const changeByte = (bytes: Buffer, offset: number, random: Random): Buffer => {
  const changed = Buffer.from(bytes);
  const old = bytes[offset] ?? 0;
  // Half of them a single bit, half any other byte.
  changed[offset] = random.below(2) === 0 ? old ^ (1 << random.below(8)) : (old + 1 + random.below(255)) % 256;
  return changed;
};

for (const [name, bytes] of SESSIONS)
  describe(`${name}, tampered with`, () => {
    const lines = linesOf(bytes);

    it('is accepted as it is', async () => {
      const verdict = await verifySession(inOneBlock(bytes));
      assert.ok(verdict.ok, JSON.stringify(verdict));
      assert.ok(lines.length > 30);
    });

    it('shows each of 2,000 changed bytes, in its line', async () => {
      const random = seeded(3);
      for (let n = 0; n < 2000; n++) {
        const offset = random.below(bytes.length);
        const line = await brokenLine(changeByte(bytes, offset, random), `byte ${offset}`);
        assert.equal(line, lineAt(bytes, offset), `byte ${offset}`);
      }
    });

    it('shows every removed line', async () => {
      for (let i = 0; i < lines.length; i++) {
        const line = await brokenLine(joined(lines.toSpliced(i, 1)), `line ${i + 1} removed`);
        assert.equal(line, i + 1);
      }
    });

    it('shows every line that stands twice, and every line that was put in', async () => {
      for (const [i, text] of lines.entries()) {
        assert.equal(await brokenLine(joined(lines.toSpliced(i, 0, text)), `line ${i + 1} twice`), i === 0 ? 2 : i + 2);
        assert.equal(await brokenLine(joined(lines.toSpliced(i, 0, '{}')), `{} before line ${i + 1}`), i + 1);
        assert.equal(await brokenLine(joined(lines.toSpliced(i, 0, '')), `nothing before line ${i + 1}`), i + 1);
      }
    });

    it('shows every swap of neighbours and 500 swaps of any two lines', async () => {
      const random = seeded(4);
      const pairs = lines.slice(1).map((_, i): [number, number] => [i, i + 1]);
      for (let n = 0; n < 500; n++) pairs.push([random.below(lines.length), random.below(lines.length)]);
      for (const [a, b] of pairs) {
        if (a === b) continue;
        const changed = lines.with(a, lines[b] ?? '').with(b, lines[a] ?? '');
        assert.equal(await brokenLine(joined(changed), `lines ${a + 1} and ${b + 1}`), Math.min(a, b) + 1);
      }
    });

    it('shows where it was cut: after every line, within it, and at 500 bytes', async () => {
      for (let i = 0; i < lines.length; i++) {
        const kept = joined(lines.slice(0, i));
        assert.equal(await brokenLine(kept, `cut after line ${i}`), i + 1);
        assert.equal(await brokenLine(`${kept}${lines[i] ?? ''}`, `no end of line ${i + 1}`), i + 1);
      }
      const random = seeded(5);
      for (let n = 0; n < 500; n++) {
        const length = random.below(bytes.length);
        const line = await brokenLine(bytes.subarray(0, length), `cut at ${length}`);
        assert.equal(line, lineAt(bytes, length), `cut at ${length}`);
      }
    });

    it('shows what was put at its end, and other ends of lines', async () => {
      const text = bytes.toString();
      for (const garbage of ['\n', ' ', '\0', '{}\n', text]) {
        const line = await brokenLine(text + garbage, `with ${JSON.stringify(garbage.slice(0, 5))} at its end`);
        assert.equal(line, lines.length + 1);
      }
      assert.equal(await brokenLine(text.replaceAll('\n', '\r\n'), 'CR LF'), 1);
      assert.equal(await brokenLine(`\ufeff${text}`, 'with a byte order mark'), 1);
    });

    it('shows JSON that means the same and is written in another way', async () => {
      for (const [i, text] of lines.entries()) {
        assert.equal(await brokenLine(joined(lines.with(i, `${text} `)), `space after line ${i + 1}`), i + 1);
        assert.equal(await brokenLine(joined(lines.with(i, text.replace(':', ': '))), `space in ${i + 1}`), i + 1);
        const twice = `{"hash":"",${text.slice(1)}`;
        assert.equal(await brokenLine(joined(lines.with(i, twice)), `a key twice in line ${i + 1}`), i + 1);
        const proto = `${text.slice(0, -1)},"__proto__":{}}`;
        assert.equal(await brokenLine(joined(lines.with(i, proto)), `one more key in line ${i + 1}`), i + 1);
      }
    });
  });
