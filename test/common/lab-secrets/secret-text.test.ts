import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LabSecrets } from '../../../src/common/lab-secrets/store.ts';
import { hidden, replaceSecrets } from '../../../src/common/lab-secrets/texts.ts';
import { memorySecrets } from '../../support/memory-secrets.ts';

const shown = <T>(value: T): T => replaceSecrets(value, () => '***');

describe('secrets in a text', () => {
  const lines: Record<string, string> = {
    'DB_PASSWORD=hunter2': 'DB_PASSWORD=***',
    'A=1\nMY_TOKEN = x y \nB=2': 'A=1\nMY_TOKEN = *** \nB=2',
    'enable secret 5 $1$abc': 'enable secret ***',
    ' password cisco': ' password ***',
    'docker login --password abc': 'docker login --password ***',
    '{"token": "x", "secret": "y", "port": 1}': '{"token": "***", "secret": "***", "port": 1}',
    'service password-encryption': 'service password-encryption',
    'security passwords min-length 8': 'security passwords min-length 8',
    'PASSWORD=': 'PASSWORD=',
    'PASSWORD=${API_TOKEN}': 'PASSWORD=${API_TOKEN}',
    'community ***secret:public*** ro': 'community *** ro',
    'banner *** welcome ***': 'banner *** welcome ***',
  };
  for (const [text, wanted] of Object.entries(lines))
    it(`are found in ${JSON.stringify(text)}`, () => {
      assert.equal(shown(text), wanted);
    });

  it('are found by the names of values, and not in what people read', () => {
    const variables = [{ name: 'API_TOKEN', value: 'x' }, { name: 'site', value: 'y' }, { name: 'token' }];
    assert.deepEqual(shown(variables), [{ name: 'API_TOKEN', value: '***' }, variables[1], variables[2]]);
    assert.deepEqual(shown({ enable_secret: 'x', usage: 'password is admin' }), {
      enable_secret: '***',
      usage: 'password is admin',
    });
  });

  it('leave what has none the same object', () => {
    const value = { environment: 'A=1', list: [{ name: 'x' }] };
    assert.equal(shown(value), value);
  });

  it('are looked for in time that grows with the text alone', () => {
    for (const piece of ['password', 'password,', 'x-token.', '***secret:'])
      assert.equal(shown(piece.repeat(200_000)).length > 0, true);
  });
});

describe('secrets of labs', () => {
  it('are the same reference for the same value in a project, and another in another', async () => {
    const secrets = await LabSecrets.read(memorySecrets());
    const [one, again, other] = ['a', 'a', 'b'].map((of) => secrets.sealed(of, 'PASSWORD=x'));
    assert.match(one ?? '', /^PASSWORD=\*\*\*[0-9a-f]{32}$/);
    assert.equal(again, one);
    assert.notEqual(other, one);
    assert.equal(hidden(one ?? ''), 'PASSWORD=***');
    assert.equal(secrets.sealed('a', one), one);
  });

  it('stay where they are sent back as they are shown', async () => {
    const secrets = await LabSecrets.read(memorySecrets());
    const before = secrets.sealed('a', {
      environment: 'A=1\nPASSWORD=x\nTOKEN=y',
      list: [{ name: 'TOKEN', value: 'z' }],
    });
    const sent = {
      environment: 'TOKEN=***\nA=2\nPASSWORD=***',
      list: [{ name: 'A' }, { name: 'TOKEN', value: '***' }],
    };
    assert.deepEqual(secrets.plain(secrets.known('a', sent, before)), {
      environment: 'TOKEN=y\nA=2\nPASSWORD=x',
      list: [{ name: 'A' }, { name: 'TOKEN', value: 'z' }],
    });
    // The value itself is no change either.
    assert.equal(secrets.known('a', 'PASSWORD=x'), before.environment.split('\n')[1]);
    assert.equal(secrets.known('a', 'PASSWORD=new'), 'PASSWORD=new');
  });

  it('of another project are not to be had by their reference', async () => {
    const secrets = await LabSecrets.read(memorySecrets());
    const theirs = secrets.sealed('a', 'PASSWORD=x');
    assert.equal(secrets.known('b', theirs), 'PASSWORD=***');
    const copied = secrets.sealed('b', theirs);
    assert.notEqual(copied, theirs);
    assert.equal(secrets.plain(secrets.known('b', copied)), 'PASSWORD=x');
  });

  it('are there for the next server once they are stored, and gone a while after nothing refers to them', async () => {
    const kept = new Map<string, string>();
    const secrets = await LabSecrets.read(memorySecrets(kept));
    const text = secrets.sealed('a', 'PASSWORD=x');
    await secrets.flush();
    const next = await LabSecrets.read(memorySecrets(kept));
    assert.equal(next.plain(text), 'PASSWORD=x');
    const day = 24 * 3_600_000;
    await next.sweep([], new Set(), 0);
    await next.sweep([text], new Set(), 40 * day);
    await next.sweep([], new Set(), 50 * day);
    await next.sweep([], new Set(), 79 * day);
    await next.sweep([], new Set(['a']), 80 * day);
    await next.sweep([], new Set(), 80 * day);
    assert.equal(next.plain(text), 'PASSWORD=x');
    await next.sweep([], new Set(), 111 * day);
    assert.equal(next.plain(text), 'PASSWORD=***');
    assert.equal(kept.size, 0);
  });

  it('go to another server that keeps them with marks where no name tells of them', async () => {
    const secrets = await LabSecrets.read(memorySecrets());
    const text = 'DB_PASSWORD=x1\nDSN=db:***secret:y2***@host';
    const stored = secrets.sealed('a', { environment: text });
    assert.equal(hidden(stored.environment), 'DB_PASSWORD=***\nDSN=db:***@host');
    assert.deepEqual(secrets.plain(stored), { environment: 'DB_PASSWORD=x1\nDSN=db:y2@host' });
    assert.deepEqual(secrets.marked(stored), { environment: text });
  });

  it('are not told of, however their digits are', async () => {
    const secrets = await LabSecrets.read(memorySecrets());
    const [one, other] = ['PASSWORD=abcd', 'PASSWORD=abcdef'].map((text) => secrets.sealed('a', text));
    const told = secrets.untold('a', `abcdef ${one} abcd ${other}`);
    assert.equal(hidden(told), '*** PASSWORD=*** *** PASSWORD=***');
    assert.equal(secrets.plain(told), 'abcdef PASSWORD=abcd abcd PASSWORD=abcdef');
  });
});
