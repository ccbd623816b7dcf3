import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ADDRESSES, JointLab, type Machine, MACHINES, VLANS } from './joint-lab.ts';
import { leftOfNodes, leftOfServer } from './left-over.ts';
import { findNeeds } from './needs.ts';
import { assertReaches } from './pings.ts';
import type { Terminal } from './terminal.ts';

const needs = await findNeeds();

const PORT = 5000;
/** So that a transfer lasts as long as the test wants, at some 150 kB/s. */
const BLOCK = 8192;
const PAUSE_US = 50_000;
/** That must arrive in each part of the test. */
const SOME = 10 * BLOCK;

/** One TCP connection from the container to the guest, which answers with the checksum of what it got. */
class Transfer {
  readonly #to: Terminal;
  readonly #from: Terminal;

  constructor(to: Terminal, from: Terminal) {
    this.#to = to;
    this.#from = from;
  }

  async begin(): Promise<void> {
    await this.#to.run(`printf '#!/bin/sh\\ntee /tmp/got | md5sum\\n' > /tmp/take; chmod +x /tmp/take`);
    await this.#to.run(`nc -l -p ${PORT} -e /tmp/take &`);
    await this.#to.run(`until cat /proc/net/tcp* | grep -q ":${PORT.toString(16)} "; do usleep 20000; done`);
    const block = `dd if=/dev/urandom bs=${BLOCK} count=1 2>/dev/null; usleep ${PAUSE_US}`;
    const source = `while [ ! -e /tmp/enough ]; do ${block}; done | tee /tmp/sent`;
    await this.#from.run(`(${source} | nc ${ADDRESSES.VM} ${PORT} > /tmp/answer; echo ended > /tmp/ended) &`);
  }

  /** Bytes that have arrived. */
  async arrived(): Promise<number> {
    return numberIn(await this.#to.run('echo "[$(wc -c < /tmp/got)]"'));
  }

  /** Resolves once that many more have arrived, with how many there are then. Fails when they do not come. */
  async goesOn(from: number): Promise<number> {
    for (const until = performance.now() + 30_000; performance.now() < until;) {
      const now = await this.arrived();
      if (now >= from + SOME) return now;
    }
    throw new Error(`the transfer stands still at ${from}: ${await this.#from.run('ls -l /tmp; cat /tmp/answer')}`);
  }

  /** Ends it; what the sender has sent and what the receiver has got, as checksums and sizes. */
  async end(): Promise<{ sent: string; got: string; bytes: number; arrived: number }> {
    await this.#from.run('touch /tmp/enough');
    const wait = 'n=0; while [ ! -e /tmp/ended ] && [ $n -lt 300 ]; do n=$((n + 1)); usleep 100000; done';
    await this.#from.run(wait, 60_000);
    const text = await this.#from.run('md5sum < /tmp/sent; cat /tmp/answer');
    const [sent = 'nothing was sent', got = `nothing was answered: ${text}`] = text.match(/\b[0-9a-f]{32}\b/g) ?? [];
    return {
      sent,
      got,
      bytes: numberIn(await this.#from.run('echo "[$(wc -c < /tmp/sent)]"')),
      arrived: await this.arrived(),
    };
  }
}

const numberIn = (text: string): number => Number(/\[(\d+)\]\r?\n/.exec(text)?.[1] ?? 0);

describe('a lab of real emulators whose server is killed', { skip: typeof needs === 'string' ? needs : false }, () => {
  let lab: JointLab;
  let terminals: Record<Machine, Terminal>;
  before(async () => {
    if (typeof needs === 'string') return;
    lab = await JointLab.build(needs);
    await lab.all('start');
    terminals = await lab.terminals();
  });
  after(() => lab?.end());

  it('goes on: a TCP transfer that began before and ends after has every byte', async (t) => {
    const [before, consoles] = [await lab.each('status'), await lab.each('console')];
    await assertReaches('BOX', 'VM', terminals.BOX);
    const transfer = new Transfer(terminals.VM, terminals.BOX);
    await transfer.begin();
    const first = await transfer.goesOn(0);
    await lab.server?.kill('SIGKILL');
    const meanwhile = await transfer.goesOn(first);
    await lab.serve();
    const later = await transfer.goesOn(meanwhile);
    const { sent, got, bytes, arrived } = await transfer.end();
    t.diagnostic(
      `${first} bytes when it was killed, ${meanwhile} until a new one began, ${later} after, ${bytes} in all`,
    );
    assert.equal(got, sent);
    assert.equal(arrived, bytes);
    assert.deepEqual(await lab.each('status'), before);
    assert.deepEqual(await lab.each('console'), consoles);
  });

  it('is reached at the same consoles, those that were open and new ones', async () => {
    const opened = await lab.terminals();
    await Promise.all(
      MACHINES.map(async (machine) => {
        const [to] = MACHINES.filter((other) => other !== machine && VLANS[other] === VLANS[machine]);
        await assertReaches(machine, to ?? machine, terminals[machine]);
        await assertReaches(machine, to ?? machine, opened[machine]);
      }),
    );
  });

  it('is controlled by the server that comes after: every node stops and starts', async () => {
    const names = ['VM', 'BOX', 'PC', 'VPCS', 'NAT', 'SW'] as const;
    await Promise.all(
      names.map(async (name) => {
        assert.equal((await lab.act(name, 'stop'))['status'], 'stopped', name);
        assert.equal((await lab.act(name, 'start'))['status'], 'started', name);
      }),
    );
    const opened = await lab.terminals();
    await assertReaches('BOX', 'VM', opened.BOX);
    await assertReaches('VPCS', 'PC', opened.VPCS);
  });

  it('leaves nothing once it is stopped, and its server ended', async () => {
    await lab.all('stop');
    assert.deepEqual([...new Set(Object.values(await lab.each('status')))], ['stopped']);
    assert.deepEqual(await leftOfNodes(lab), []);
    await lab.server?.kill('SIGTERM');
    assert.deepEqual(await leftOfServer(lab), []);
  });
});
