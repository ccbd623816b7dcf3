import assert from 'node:assert/strict';
import { mkdir, readdir, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { KEYS } from '../../src/events/store/store.ts';
import { eventHash, decodeEvent, headText } from '../../src/events/encoding.ts';
import {
  type RedactedEvent,
  redactedEventLine,
  redactSession,
  sha256,
  unsignedText,
} from '../../src/session/format.ts';
import { fingerprint, openSessionKey } from '../../src/session/keys.ts';
import { verifySession } from '../../src/session/verify/verify-session.ts';
import { PROJECT } from '../support/events.ts';
import { NODES, nodeDirectory, recordedLab } from './recorded-lab.ts';

const lab = await recordedLab();
after(() => lab.end());
const linesIn = (text: string): string[] => text.split('\n').slice(0, -1);
const parsed = (line: string | undefined): Record<string, unknown> => JSON.parse(line ?? '') as Record<string, unknown>;

describe('an exported session', () => {
  it('is whole, and says whose it is and who signed it', async () => {
    const verdict = await verifySession(await lab.export());
    assert.ok(verdict.ok);
    const { project_id, name, from, to } = verdict.head;
    assert.deepEqual([project_id, name, from, to], [PROJECT, 'proof “lab”', 1, lab.versions]);
    assert.deepEqual([verdict.facts, verdict.recordings, verdict.files, verdict.redacted], [lab.versions, 2, 4, 0]);
    assert.equal(verdict.fingerprint, fingerprint(lab.publicKey));
  });

  it('holds the events byte for byte as they are stored', async () => {
    const stored: string[] = [];
    for (let version = 1; version <= lab.versions; version++)
      stored.push((await lab.store.get(KEYS.event(Number(await lab.store.get(KEYS.stream(PROJECT, version)))))) ?? '');
    assert.deepEqual(linesIn(await lab.export()).slice(1, lab.versions + 1), stored);
  });

  it('of a range begins with the records before it', async () => {
    const text = await lab.export({ from: 6, to: 12 });
    const verdict = await verifySession(text);
    assert.ok(verdict.ok);
    assert.equal(verdict.facts, 7);
    const { project, nodes, links, drawings } = parsed(linesIn(text)[1])['base'] as Record<string, unknown[]>;
    assert.equal((project as unknown as { state: string }).state, 'opened');
    assert.deepEqual([nodes?.length, links?.length, drawings?.length], [2, 1, 0]);
  });

  it('can be of one event only, the first or the last', async () => {
    for (const version of [1, lab.versions]) {
      const verdict = await verifySession(await lab.export({ from: version, to: version }));
      assert.ok(verdict.ok);
      assert.equal(verdict.facts, 1);
    }
  });

  it('is refused for a range that is not there, and for a project that never was', async () => {
    const last = lab.versions;
    await assert.rejects(lab.export({ from: last + 1 }), { message: /from must be a version from 1 to \d+/ });
    await assert.rejects(lab.export({ from: 3, to: 2 }), { message: /to must be a version from 3 to/ });
    await assert.rejects(lab.export({ to: last + 1 }), { code: 'invalid_request' });
  });

  it('can be read in blocks of any size, as bytes and as text', async () => {
    const text = await lab.export();
    const bytes = Buffer.from(text);
    const inBlocks = async function* <T>(of: { slice(a: number, b: number): T; length: number }, size: number) {
      for (let i = 0; i < of.length; i += size) yield of.slice(i, i + size);
    };
    for (const size of [1, 7, 4096]) {
      assert.ok((await verifySession(inBlocks(bytes, size))).ok);
      assert.ok((await verifySession(inBlocks(text, size))).ok);
    }
  });

  it('leaves nothing behind', async () => {
    await lab.export();
    assert.deepEqual(await readdir(path.join(lab.dataDir, 'spool')), []);
  });

  it('is not made of a damaged stream', async () => {
    const key = KEYS.event(Number(await lab.store.get(KEYS.stream(PROJECT, 9))));
    const value = (await lab.store.get(key)) ?? '';
    await lab.store.batch([{ type: 'put', key, value: value.replace('PC', 'pc').replace('00', '01') }], { sync: true });
    await assert.rejects(lab.export(), { message: /damaged at position 10/ });
    await lab.store.batch([{ type: 'put', key, value }], { sync: true });
  });
});

describe('what a session carries of the disk', () => {
  const directory = nodeDirectory(lab.projectPath, NODES[0] ?? '');

  it('is small text only, and nothing that a link leads to', async () => {
    await writeFile(path.join(directory, 'large.txt'), 'x'.repeat(64 * 1024 + 1));
    await writeFile(path.join(directory, 'just.txt'), 'x'.repeat(64 * 1024));
    await writeFile(path.join(directory, 'image.bin'), Buffer.from([0xff, 0xfe, 0x41]));
    await writeFile(path.join(directory, 'zeros'), Buffer.alloc(10));
    await symlink('/etc/passwd', path.join(directory, 'link.txt'));
    await symlink('/etc', path.join(directory, 'links'));
    const paths = linesIn(await lab.export())
      .filter((line) => line.startsWith('{"file":'))
      .map((line) => parsed(line)['file'] as { node_id: string; path: string })
      .filter((file) => file.node_id === NODES[0]);
    assert.deepEqual(
      paths.map((file) => file.path),
      ['just.txt', 'more/notes.txt', 'startup.vpc'],
    );
  });

  it('holds a long recording in parts that come together again', async () => {
    const recordings = path.join(lab.projectPath, 'project-files', 'recordings', 'long');
    await mkdir(recordings, { recursive: true });
    const cast = `{"version":3}\n${'[0.001,"o","ein Zeichen: ✔"]\n'.repeat(160_000)}`;
    await writeFile(path.join(recordings, 'a.cast'), cast);
    // A single line that is longer than a part, of characters of three octets.
    await writeFile(path.join(recordings, 'b.cast'), '✔'.repeat(1_500_000));
    const text = await lab.export();
    assert.ok((await verifySession(text)).ok);
    const parts = linesIn(text)
      .filter((line) => line.startsWith('{"recording":{"node_id":"long"'))
      .map((line) => parsed(line)['recording'] as { name: string; offset: number; content: string });
    const joined = (name: string): string =>
      parts
        .filter((part) => part.name === name)
        .map((part) => part.content)
        .join('');
    assert.ok(parts.length >= 4);
    assert.equal(joined('a.cast'), cast);
    assert.equal(joined('b.cast'), '✔'.repeat(1_500_000));
    await truncate(path.join(recordings, 'a.cast'), 0);
    await truncate(path.join(recordings, 'b.cast'), 0);
  });
});

describe('a redacted session', () => {
  it('shows nothing of the consoles and is proved all the same', async () => {
    const text = await lab.export({ redact: 'console' });
    assert.ok(!text.includes('84 bytes from'));
    const verdict = await verifySession(text);
    assert.ok(verdict.ok);
    assert.equal(verdict.redacted, verdict.recordings);
  });

  it('can be made later from a signed one, under the same head', async () => {
    const text = await lab.export();
    const redacted = redactSession(text);
    assert.equal(linesIn(redacted)[0], linesIn(text)[0]);
    assert.ok(!redacted.includes('84 bytes from'));
    const verdict = await verifySession(redacted);
    assert.ok(verdict.ok);
    assert.equal(verdict.redacted, verdict.recordings);
  });

  it('does not take another content for the one that was left out', async () => {
    const text = redactSession(await lab.export());
    const verdict = await verifySession(text.replace('"content":null', '"content":"forged"'));
    assert.ok(!verdict.ok);
    assert.match(verdict.problem, /content does not fit/);
  });

  it('may leave out the data of an event, whose hash still follows', async () => {
    const { text, line } = await withRedactedEvent((event) => event);
    assert.ok(!text.includes('"arguments"'));
    const verdict = await verifySession(text);
    assert.ok(verdict.ok, JSON.stringify(verdict));
    assert.equal(verdict.redacted, 1);
    const changed = await withRedactedEvent((event) => ({
      ...event,
      head: { ...event.head, by: { ...event.head.by, principal: 'mallory' } },
    }));
    const broken = await verifySession(changed.text);
    assert.ok(!broken.ok);
    assert.equal(broken.line, line);
    assert.match(broken.problem, /does not fit its hash/);
  });

  /** Session of the first six events, the last of them without data, signed again. */
  const withRedactedEvent = async (
    change: (event: RedactedEvent) => RedactedEvent,
  ): Promise<{ text: string; line: number }> => {
    const [first, ...rest] = linesIn(await lab.export({ to: 6 }));
    const events = rest.slice(0, 6);
    const event = decodeEvent(events[5] ?? '');
    assert.ok(event !== null);
    const { data, prev, hash, ...head } = event;
    const data_sha256 = sha256(JSON.stringify(data));
    assert.equal(eventHash(prev, headText(head), data_sha256), hash);
    events[5] = redactedEventLine(change({ head, data_sha256, prev, hash }));
    const { signature: _, ...signed } = parsed(first) as Parameters<typeof unsignedText>[0] & { signature: string };
    const content = sha256(events.map((line) => `${sha256(line)}\n`).join(''));
    const unsigned = { ...signed, lines: events.length, content };
    const key = await openSessionKey(lab.dataDir);
    const newHead = { ...unsigned, signature: key.sign(unsignedText(unsigned)) };
    return { text: [JSON.stringify(newHead), ...events, ''].join('\n'), line: 7 };
  };
});

describe('the key of a data directory', () => {
  it('is made once, for its owner only', async () => {
    const again = await openSessionKey(lab.dataDir);
    assert.equal(again.publicKey, lab.publicKey);
    const { mode } = await stat(path.join(lab.dataDir, 'keys', 'session.pem'));
    assert.equal(mode & 0o777, 0o600);
  });

  it('is never replaced when it cannot be read', async () => {
    const other = path.join(lab.dataDir, 'other');
    await mkdir(path.join(other, 'keys'), { recursive: true });
    await writeFile(path.join(other, 'keys', 'session.pem'), 'not a key');
    await assert.rejects(openSessionKey(other), /is not an Ed25519 private key/);
  });

  it('must be the expected one', async () => {
    const text = await lab.export();
    assert.ok((await verifySession(text, { key: lab.publicKey })).ok);
    const other = await openSessionKey(path.join(lab.dataDir, 'second'));
    const verdict = await verifySession(text, { key: other.publicKey });
    assert.ok(!verdict.ok);
    assert.deepEqual([verdict.line, /another key/.test(verdict.problem)], [1, true]);
  });
});
