import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { hashPassword, isPassword, nobodysHash, parseHash } from '../../../src/http/access/passwords.ts';
import { addUser, listUsers, openUsers, parseUsers, removeUser } from '../../../src/http/access/users.ts';
import { loggerTo } from '../../support/logger.ts';
import { tempDir } from '../../support/temp.ts';
import { userLine } from '../../support/users.ts';

describe('a password', () => {
  it('is kept as a salted scrypt hash, another one each time, which only the password fits', async () => {
    const [one, two] = await Promise.all([hashPassword('päss:wörd'), hashPassword('päss:wörd')]);
    assert.match(one, /^scrypt\$32768\$8\$3\$[\w+/=]{22,24}\$[\w+/=]{43,44}$/);
    assert.notEqual(one, two);
    assert.equal(await isPassword('päss:wörd', parseHash(one)), true);
    // The same letters, composed in another way.
    assert.equal(await isPassword('pa\u0308ss:wo\u0308rd', parseHash(one)), true);
    assert.equal(await isPassword('päss:wörD', parseHash(one)), false);
  });

  it('of nobody costs as much as one of a user and fits nothing, so that no time tells who is a user', async () => {
    const users = parseUsers(userLine('ada', 'lovelace'));
    const kept = users.get('ada') ?? assert.fail('no user');
    const nobodys = nobodysHash(kept);
    assert.deepEqual([nobodys.N, nobodys.r, nobodys.p], [kept.N, kept.r, kept.p]);
    assert.deepEqual([nobodys.salt.length, nobodys.hash.length], [kept.salt.length, kept.hash.length]);
    for (const guess of ['', 'lovelace']) assert.equal(await isPassword(guess, nobodys), false);
  });

  it('is not computed at a cost that would stop the server', () => {
    const [salt, hash] = ['A'.repeat(24), 'A'.repeat(44)];
    for (const cost of ['0$8$1', '3$8$1', '16777216$8$1', '1024$999$1', '1024$8$99', '1024$0$1', '-2$8$1', 'x$8$1'])
      assert.throws(() => parseHash(`scrypt$${cost}$${salt}$${hash}`), { status: 400 }, cost);
    assert.throws(() => parseHash('lovelace'), { status: 400 });
    assert.throws(() => parseHash(`scrypt$1024$8$1$$${hash}`), { status: 400 });
  });
});

describe('the file of users', () => {
  let dir: Awaited<ReturnType<typeof tempDir>>;
  let file = '';
  beforeEach(async () => {
    dir = await tempDir();
    file = path.join(dir.path, 'data', 'users');
  });
  afterEach(() => dir.remove());

  it('gets users, changes and loses them, keeps what else is in it, and is for its owner only', async () => {
    assert.deepEqual(await listUsers(file), []);
    assert.equal(await addUser(file, 'ada', 'one'), 'added');
    await writeFile(file, `# of the lab\n${await readFile(file, 'utf8')}`);
    assert.equal(await addUser(file, 'grace hopper', 'two'), 'added');
    assert.equal(await addUser(file, 'ada', 'three'), 'changed');
    assert.deepEqual(await listUsers(file), ['ada', 'grace hopper']);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    const text = await readFile(file, 'utf8');
    assert.ok(text.startsWith('# of the lab\nada:scrypt$'));
    const kept = parseUsers(text).get('ada') ?? assert.fail('no user');
    assert.equal(await isPassword('three', kept), true);
    await removeUser(file, 'ada');
    assert.deepEqual(await listUsers(file), ['grace hopper']);
    await assert.rejects(removeUser(file, 'ada'), { status: 404 });
    assert.deepEqual(await readdir(path.dirname(file)), ['users']);
  });

  it('is left alone when it is not understood, and while somebody else changes it', async () => {
    await mkdir(path.dirname(file));
    await writeFile(file, 'nonsense\n');
    await assert.rejects(addUser(file, 'ada', 'x'), { status: 400 });
    assert.equal(await readFile(file, 'utf8'), 'nonsense\n');
    assert.deepEqual(await readdir(path.dirname(file)), ['users']);
    await writeFile(`${file}.new`, '');
    await assert.rejects(addUser(file, 'ada', 'x'), { status: 409, message: /users\.new/ });
  });

  it('is told of once when it lets nobody in, and when that is over', async () => {
    await addUser(file, 'ada', 'one');
    const whole = await readFile(file);
    const reports: string[] = [];
    const users = openUsers(
      file,
      loggerTo((line) => reports.push(line)),
    );
    const is = async (text: Buffer | null): Promise<void> => {
      const before = users.generation();
      await (text === null ? rm(file) : writeFile(file, text, { mode: 0o600 }));
      while (users.areAsked() && users.generation() === before) await turn();
    };
    for (const text of [Buffer.from(':x\n'), whole, null, whole]) await is(text);
    assert.deepEqual(
      reports.map((line) => line.replaceAll(file, 'FILE').replace(/(?<=user name has ).*/, '…')),
      [
        'nobody is let in: FILE: line 1 of the users is not valid: a user name has …',
        'the users of FILE are let in again',
        'nobody is let in: FILE is gone',
        'the users of FILE are let in again',
      ],
    );
  });

  it('takes no name that could not be a principal, or would be another one', async () => {
    for (const name of ['', 'a:b', 'a\nb', ' ada', 'ada ', 'anonymous', 'system', 'x'.repeat(65), '#ada'])
      await assert.rejects(addUser(file, name, 'x'), { status: 400 }, name);
    for (const name of ['a', 'ada@example.org', 'Ada King', 'x'.repeat(64)])
      assert.equal(parseUsers(userLine(name, 'x')).size, 1, name);
  });
});
