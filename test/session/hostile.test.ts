import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, it } from 'node:test';
import { attachmentHash, attachmentLine, type SessionHead, sha256, unsignedText } from '../../src/session/format.ts';
import { encodeEvent, GENESIS } from '../../src/events/encoding.ts';
import { SYSTEM } from '../../src/events/event.ts';
import { verifySession } from '../../src/session/verify/verify-session.ts';

/** Signs whatever it is given: a forger has a key of his own. */
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const signedHead = (over: Partial<SessionHead> = {}): string => {
  const unsigned = {
    format: 'topolog-session',
    v: 1,
    project_id: 'p',
    name: 'n',
    from: 1,
    to: 1,
    first_prev: GENESIS,
    last_hash: GENESIS,
    facts: 1,
    lines: 1,
    content: GENESIS,
    exported_at: '',
    exported_by: { version: '' },
    public_key: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    ...over,
  } as SessionHead;
  const signature = sign(null, Buffer.from(unsignedText(unsigned)), privateKey).toString('base64');
  return JSON.stringify({ ...unsigned, signature });
};

const problemOf = async (source: Parameters<typeof verifySession>[0]): Promise<[number, string]> => {
  const verdict = await verifySession(source);
  assert.ok(!verdict.ok);
  return [verdict.line, verdict.problem];
};

describe('verifying what somebody made up', () => {
  it('answers with a problem, whatever the first line is', async () => {
    const texts = ['', '\n', 'null\n', '[]\n', '1\n', '"x"\n', '{}\n', '{"__proto__":null}\n', '\ud800\n', 'x'];
    for (const text of texts) assert.equal((await problemOf(text))[0], 1);
  });

  it('answers with a problem, whatever the second line is, though the head is signed', async () => {
    const hostile = [
      'null',
      '{}',
      '{"redacted_fact":null}',
      '{"redacted_fact":{}}',
      `{"redacted_fact":{"head":{"by":null},"data_sha256":"${GENESIS}","prev":"${GENESIS}","hash":"${GENESIS}"}}`,
      '{"position":1,"by":null}',
      '{"file":{}}',
      '['.repeat(5_000_000),
      '{"a":'.repeat(100_000),
      `{"data":[${'[],'.repeat(5_000_000)}0]}`,
      `"${'\\'.repeat(1_000_001)}`,
    ];
    for (const line of hostile) assert.equal((await problemOf(`${signedHead()}\n${line}\n`))[0], 2);
  });

  it('survives values deep and many, where an attachment is expected', async () => {
    const from = { from: 2, to: 2, lines: 2 };
    for (const line of [`{"base":${'['.repeat(2_000_000)}`, `{"base":[${'{},'.repeat(5_000_000)}{}]}`]) {
      const [number, problem] = await problemOf(`${signedHead(from)}\n${line}\n`);
      assert.equal(number, 2);
      assert.match(problem, /more values/);
    }
  });

  it('stops at a line of more than 64 MiB', async () => {
    let blocks = 0;
    const endless = async function* () {
      yield `${signedHead()}\n`;
      const block = Buffer.alloc(1024 * 1024, 'x');
      for (; ; blocks++) yield block;
    };
    const [line, problem] = await problemOf(endless());
    assert.equal(line, 2);
    assert.match(problem, /longer than/);
    assert.equal(blocks, 64);
  });

  it('takes no other kind of key, no key twice spelled, and no counts that cannot be', async () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ type: 'spki', format: 'der' });
    const good = JSON.parse(signedHead()) as SessionHead;
    const respelled = good.signature.replace(/.(?==+$)/, (c) => String.fromCharCode(c.charCodeAt(0) + 1));
    const heads = [
      signedHead({ public_key: rsa.toString('base64') }),
      signedHead({ public_key: '' }),
      JSON.stringify({ ...good, signature: respelled }),
      JSON.stringify({ ...good, signature: `${good.signature}=` }),
      signedHead({ facts: 2 }),
      signedHead({ from: 2, to: 2 }),
      signedHead({ first_prev: '1'.repeat(64) }),
      signedHead({ name: 'x'.repeat(70_000) }),
    ];
    for (const head of heads) assert.equal((await problemOf(`${head}\n{}\n`))[0], 1);
  });

  it('does not take half a character for the one that it would be encoded as', async () => {
    const base = { base: { project: null, nodes: [], links: [], drawings: [] } };
    const file = {
      file: { node_id: 'n', path: 'p', bytes: 3, sha256: sha256('\ufffd'), content: '\ud800' as string | null },
    };
    const first = attachmentHash(GENESIS, base);
    const prev = GENESIS;
    const envelope = { by: SYSTEM, request_id: null, cause: null, v: 1, at: '', position: 5, prev };
    const event = { prev, ...encodeEvent({ ...envelope, project_id: 'p', version: 2, type: 'x', data: {} }) };
    const second = attachmentHash(sha256(event.text), file);
    const hashes = [first, sha256(event.text), second];
    const content = sha256(hashes.map((hash) => `${hash}\n`).join(''));
    const over = { from: 2, to: 2, lines: 3, content, first_prev: event.prev, last_hash: event.hash };
    const lines = [signedHead(over), attachmentLine(base, first), event.text, attachmentLine(file, second)];
    const text = `${lines.join('\n')}\n`;
    assert.match((await problemOf(text))[1], /content does not fit/);
    assert.ok((await verifySession(text.replace('\\ud800', '\ufffd'))).ok);
  });
});
