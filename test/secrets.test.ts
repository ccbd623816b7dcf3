import assert from 'node:assert/strict';
import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { newServerId, type Secrets, secretsOf, serverIdIn } from '../src/common/secrets.ts';
import { COMPUTE_SECRETS, ComputeSecrets } from '../src/computes/passwords.ts';
import { checkTicketKey, ticketKey } from '../src/http/access/tickets.ts';
import { checkSessionKey, openSessionKey, verifySignature } from '../src/session/keys.ts';
import { memorySecrets } from './support/memory-secrets.ts';
import { tempDir } from './support/temp.ts';

const dir = await tempDir();
after(() => dir.remove());

/** Two views of one place, as two servers have them. */
const places: Record<string, () => [Secrets, Secrets]> = {
  'of a cell'() {
    const kept = new Map<string, string>();
    return [memorySecrets(kept), memorySecrets(kept)];
  },
  'of a data directory'() {
    const place = path.join(dir.path, 'data');
    return [secretsOf(place), secretsOf(place)];
  },
};

for (const [name, two] of Object.entries(places))
  describe(`secrets ${name}`, () => {
    const [first, second] = two();

    it('sign sessions with one key, whichever server asks', async () => {
      const key = await openSessionKey(first);
      const other = await openSessionKey(second);
      assert.equal(other.publicKey, key.publicKey);
      assert.ok(verifySignature(other.publicKey, 'text', key.sign('text')));
      await checkSessionKey(second);
    });

    it('sign logins with one key, also when both servers make it at once', async () => {
      const keys = await Promise.all([ticketKey(first), ticketKey(second)]);
      assert.deepEqual(keys[0], keys[1]);
      assert.deepEqual(await ticketKey(second), keys[0]);
      await checkTicketKey(second);
    });

    it('let in the next server where the one before was let in', async () => {
      const writer = await ComputeSecrets.read(first);
      assert.equal(writer.passwordOf('lab2'), null);
      await writer.keep('lab2', 'pässword');
      const next = await ComputeSecrets.read(second);
      assert.deepEqual([next.controllerId, next.passwordOf('lab2')], [writer.controllerId, 'pässword']);
      await next.keep('lab2', null);
      assert.equal((await ComputeSecrets.read(first)).passwordOf('lab2'), null);
    });

    it('are listed by folder, and gone once they are removed', async () => {
      assert.deepEqual(await first.list('folder'), []);
      await first.put('folder/a.json', 'one');
      await second.put('folder/b.json', 'two');
      assert.deepEqual((await first.list('folder')).sort(), ['folder/a.json', 'folder/b.json']);
      await second.remove('folder/a.json');
      await second.remove('folder/a.json');
      assert.deepEqual(await first.list('folder'), ['folder/b.json']);
    });

    it('keep what is there, and put what is new', async () => {
      assert.equal(await first.get('other'), null);
      assert.equal(await first.keep('other', 'one'), 'one');
      assert.equal(await second.keep('other', 'two'), 'one');
      await second.put('other', 'three');
      assert.equal(await first.get('other'), 'three');
    });

    it('say what is damaged, and replace nothing', async () => {
      const before = await first.get('keys/session.pub');
      await first.put('keys/session.pub', 'other\n');
      const unlike = /keys\/session\.pem and \S*keys\/session\.pub are not of one key/;
      await assert.rejects(openSessionKey(second), unlike);
      await assert.rejects(checkSessionKey(second), unlike);
      await first.put('keys/session.pub', before ?? '');
      await first.put('keys/session.pem', 'no key');
      await assert.rejects(openSessionKey(second), /keys\/session\.pem is not an Ed25519 private key in PEM/);
      await first.put('keys/login.key', Buffer.alloc(40).toString('base64'));
      await assert.rejects(ticketKey(second), /keys\/login\.key is no key of 32 bytes, or damaged/);
      await assert.rejects(checkTicketKey(second), /login\.key is no key/);
      await first.put('computes.json', '{"passwords":{}}');
      await assert.rejects(ComputeSecrets.read(second), /controller_id/);
    });
  });

describe('secrets of a data directory', () => {
  it('are files for their owner only, in the forms that they always had', async () => {
    const place = path.join(dir.path, 'forms');
    await openSessionKey(place);
    await ticketKey(place);
    await (await ComputeSecrets.read(place)).keep('lab2', 'secret');
    const files = ['keys/session.pem', 'keys/session.pub', 'keys/login.key', 'computes.json'];
    for (const file of files)
      if (process.platform !== 'win32') assert.equal((await stat(path.join(place, file))).mode & 0o777, 0o600, file);
    assert.match(await readFile(path.join(place, 'keys/session.pem'), 'utf8'), /^-----BEGIN PRIVATE KEY-----\n/);
    assert.equal((await readFile(path.join(place, 'keys/login.key'))).length, 40);
    assert.match(
      await readFile(path.join(place, 'computes.json'), 'utf8'),
      /"passwords":\{"lab2":"secret"\},"crc32":"[0-9a-f]{8}"\}\n$/,
    );
  });

  it('of computes are never taken with a bit that has changed', async () => {
    const place = path.join(dir.path, 'flipped');
    await (await ComputeSecrets.read(place)).keep('lab2', 'secret');
    const file = path.join(place, 'computes.json');
    const octets = await readFile(file);
    const at = octets.indexOf('secret');
    octets[at] = (octets[at] ?? 0) ^ 1;
    await writeFile(file, octets);
    const damaged =
      /computes\.json is damaged, or was changed by hand: it does not fit its checksum; put it back from a copy/;
    await assert.rejects(ComputeSecrets.read(place), damaged);
    await assert.rejects(async () => COMPUTE_SECRETS.check?.({ dataDir: place, secrets: secretsOf(place) }), damaged);
  });

  it('of computes of earlier versions have no checksum, and are read', async () => {
    const place = path.join(dir.path, 'earlier');
    const known = { controller_id: '00000000-0000-4000-8000-000000000001', passwords: { lab2: 'secret' } };
    await secretsOf(place).put('computes.json', `${JSON.stringify(known)}\n`);
    assert.equal((await ComputeSecrets.read(place)).passwordOf('lab2'), 'secret');
  });
});

describe('the id of a server', () => {
  it('is itself, or refused by the name of its file, whichever bit of it changes', () => {
    const text = `${newServerId()}\n`;
    assert.equal(serverIdIn(text, 'server-id'), text.trim());
    const octets = Buffer.from(text);
    for (let bit = 0; bit < octets.length * 8; bit++) {
      const changed = Buffer.from(octets);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      try {
        assert.equal(serverIdIn(changed.toString('utf8'), '/data/server-id'), text.trim(), `bit ${bit}`);
      } catch (error) {
        assert.match(String(error), /\/data\/server-id is no id of a server, or damaged/);
      }
    }
  });

  it('of an earlier version has no checksum', () => {
    const id = '00000000-0000-4000-8000-000000000001';
    assert.equal(serverIdIn(`${id}\n`, 'server-id'), id);
  });
});
