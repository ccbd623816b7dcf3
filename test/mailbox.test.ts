import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Limiter, Mailbox } from '../src/common/mailbox.ts';

/** A promise and what ends it. */
const gate = (): { opened: Promise<void>; open: () => void } => {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
};

describe('a mailbox', () => {
  it('runs one after another, in order', async () => {
    const mailbox = new Mailbox();
    const log: string[] = [];
    const first = gate();
    const runs = [
      mailbox.run(async () => {
        log.push('first begins');
        await first.opened;
        log.push('first ends');
      }),
      mailbox.run(() => Promise.resolve(log.push('second'))),
    ];
    assert.equal(mailbox.size, 2);
    await Promise.resolve();
    first.open();
    await Promise.all(runs);
    assert.deepEqual(log, ['first begins', 'first ends', 'second']);
    assert.equal(mailbox.size, 0);
  });

  it('gives a failure to its owner only', async () => {
    const mailbox = new Mailbox();
    const failing = mailbox.run(() => Promise.reject(new Error('mine')));
    const next = mailbox.run(() => Promise.resolve('well'));
    await assert.rejects(failing, /mine/);
    assert.equal(await next, 'well');
  });

  it('is idle once everything in it has run, failed or not', async () => {
    const mailbox = new Mailbox();
    let done = false;
    mailbox.run(() => Promise.reject(new Error('no'))).catch(() => undefined);
    void mailbox.run(async () => {
      await Promise.resolve();
      done = true;
    });
    await mailbox.idle();
    assert.equal(done, true);
  });
});

describe('a limiter', () => {
  it('runs at most so many at once, the others in order', async () => {
    const limiter = new Limiter(2);
    const gates = [gate(), gate(), gate(), gate()];
    const begun: number[] = [];
    const runs = gates.map(({ opened }, i) =>
      limiter.run(async () => {
        begun.push(i);
        await opened;
      }),
    );
    await Promise.resolve();
    assert.deepEqual(begun, [0, 1]);
    gates[1]?.open();
    await runs[1];
    assert.deepEqual(begun, [0, 1, 2]);
    for (const { open } of gates) open();
    await Promise.all(runs);
    assert.deepEqual(begun, [0, 1, 2, 3]);
  });

  it('gives its place on after a failure', async () => {
    const limiter = new Limiter(1);
    const failing = limiter.run(() => Promise.reject(new Error('no')));
    const next = limiter.run(() => Promise.resolve('well'));
    await assert.rejects(failing, /no/);
    assert.equal(await next, 'well');
    assert.equal(await limiter.run(() => Promise.resolve('again')), 'again');
  });
});
