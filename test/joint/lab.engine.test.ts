import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { which } from '../../src/emulators/shared/process/find-program.ts';
import { ADDRESSES, JointLab, type Machine, MACHINES, VLANS } from './joint-lab.ts';
import { leftOfNodes, leftOfServer } from './left-over.ts';
import { findNeeds } from './needs.ts';
import { assertDoesNotReach, assertReaches, median, pingRound } from './pings.ts';
import type { Terminal } from './terminal.ts';

const needs = await findNeeds();

/** Runs what is to be done at one console in order, at different consoles side by side. */
const fromEach = async (work: (from: Machine, to: Machine) => Promise<void>): Promise<void> => {
  await Promise.all(
    MACHINES.map(async (from) => {
      for (const to of MACHINES) if (to !== from) await work(from, to);
    }),
  );
};

describe('one lab of real emulators', { skip: typeof needs === 'string' ? needs : false }, () => {
  let lab: JointLab;
  let terminals: Record<Machine, Terminal> | null = null;
  const at = (machine: Machine): Terminal => {
    assert.ok(terminals !== null, 'the lab has not started');
    return terminals[machine];
  };
  before(async () => {
    if (typeof needs !== 'string') lab = await JointLab.build(needs);
  });
  after(() => lab?.end());

  it('starts with one request, every node of it', async () => {
    await lab.all('stop');
    await lab.all('start');
    const states = await lab.each('status');
    assert.deepEqual([...new Set(Object.values(states))], ['started'], JSON.stringify(states));
    terminals = await lab.terminals();
  });

  it('passes pings within each VLAN, from every side', () =>
    fromEach(async (from, to) => {
      if (VLANS[from] === VLANS[to]) await assertReaches(from, to, at(from));
    }));

  it('passes none from one VLAN to the other', () =>
    fromEach(async (from, to) => {
      if (VLANS[from] !== VLANS[to]) await assertDoesNotReach(from, to, at(from));
    }));

  it('leads guest and container out through the NAT, each with a lease', async (t) => {
    const host = Object.values(networkInterfaces())
      .flat()
      .find((one) => one?.family === 'IPv4' && !one.internal)?.address;
    if (host === undefined) return t.skip('this machine has no network');
    const outside = createServer((socket) => {
      socket.on('error', () => undefined).end('from outside the lab\n');
    }).listen(0, host);
    t.after(() => outside.close());
    await once(outside, 'listening');
    const { port } = outside.address() as AddressInfo;
    for (const machine of ['VM', 'BOX'] as const) {
      const lease = await at(machine).run('udhcpc -i eth1 -n -q -t 15 -T 1', 60_000);
      assert.match(await at(machine).run('ip addr show dev eth1'), /inet \d+\.\d+\.\d+\.\d+\//, lease);
      const answer = await at(machine).run(`nc -w 20 ${host} ${port} < /dev/null`);
      assert.match(answer, /from outside the lab/, `${machine} with ${lease}`);
    }
  });

  it('has the pings between guest and switch in a capture that tshark reads', async (t) => {
    if ((await which('tshark')) === null) return t.skip('tshark is not installed');
    const { VM, BOX } = ADDRESSES;
    await lab.ask('POST', `${lab.linkPath('VM')}/start_capture`, { capture_file_name: 'guest.pcap' });
    const { received } = await pingRound(at('VM'), BOX, { count: 5, interval: 0.2 });
    const { capture_file_path } = await lab.ask('POST', `${lab.linkPath('VM')}/stop_capture`, {});
    const fields = ['ip.src', 'ip.dst', 'icmp.type'].flatMap((name) => ['-e', name]);
    const args = ['-r', String(capture_file_path), '-Y', 'icmp', '-T', 'fields', ...fields];
    const { stdout } = await promisify(execFile)('tshark', args);
    const lines = stdout.trim().split('\n');
    const count = (line: string): number => lines.filter((one) => one === line).length;
    assert.ok(received > 0, 'the guest reaches the container');
    assert.equal(count(`${VM}\t${BOX}\t8`), 5, stdout);
    assert.equal(count(`${BOX}\t${VM}\t0`), received, stdout);
    assert.equal(lines.length, 5 + received, stdout);
  });

  it('shows a delay of 50 ms at the link of the container as 50 ms more, each way', async (t) => {
    const round = async (): Promise<number> => {
      const { times } = await pingRound(at('VM'), ADDRESSES.BOX, { count: 21, interval: 0.1 });
      return median(times);
    };
    const before = await round();
    await lab.filter('BOX', { delay: [50, 0] });
    const delayed = await round();
    await lab.filter('BOX', {});
    const after = await round();
    const seen = `a ping took ${before} ms before, ${delayed} ms with the delay, ${after} ms after`;
    t.diagnostic(seen);
    assert.ok(delayed - before >= 2 * 45, seen);
    assert.ok(delayed <= 2 * (before + 2 * 50), seen);
    assert.ok(delayed - after >= 2 * 45, seen);
  });

  it('shows a loss of 10 % at the link of the container as 10 %, each way', async (t) => {
    const [VM, BOX] = [at('VM'), at('BOX')];
    // Known for good: nothing but the pings is on the way, and none of them waits for an address.
    await assertReaches('BOX', 'VM', BOX);
    const macOf = async (terminal: Terminal): Promise<string> =>
      /[0-9a-f]{2}(:[0-9a-f]{2}){5}/.exec(await terminal.run('cat /sys/class/net/eth0/address'))?.[0] ?? '';
    await VM.run(`arp -s ${ADDRESSES.BOX} ${await macOf(BOX)}`);
    await BOX.run(`arp -s ${ADDRESSES.VM} ${await macOf(VM)}`);
    const atGuest = async (): Promise<EchoCounts> => echoCounts(await VM.run('grep Icmp: /proc/net/snmp'));
    await lab.filter('BOX', { packet_loss: [10] });
    const [before, onLinkBefore] = [await atGuest(), await lab.counts('BOX')];
    const { sent, received } = await pingRound(BOX, ADDRESSES.VM, { count: 2000, interval: 0.003, quiet: true });
    const [after, onLinkAfter] = [await atGuest(), await lab.counts('BOX')];
    await lab.filter('BOX', {});
    const [arrived, answered] = [after.requests - before.requests, after.replies - before.replies];
    t.diagnostic(`${sent} sent, ${arrived} arrived, ${answered} answered, ${received} came back`);
    assert.equal(sent, 2000);
    // Programs that have no processor for a while lose packets too: those are none of the filter's.
    for (const [n, [out, back]] of [
      [sent, arrived],
      [answered, received],
    ].entries()) {
      const [passed, lost] = (onLinkAfter[n] ?? []).map((count, i) => count - (onLinkBefore[n]?.[i] ?? 0));
      assert.ok(passed !== undefined && lost !== undefined && out !== undefined && back !== undefined);
      assertShare(n === 0 ? 'lost on their way' : 'lost on their way back', lost, passed + lost, 0.1);
      assert.ok(passed + lost > out / 2, `of ${out} pings only ${passed + lost} came to the link`);
      // A few frames of the link are no pings.
      assert.ok(back <= passed && out - back >= lost - OTHERS, `${out} sent, ${back} arrived, ${passed} passed`);
    }
  });

  it('keeps what the guest has over a suspension', async () => {
    const VM = at('VM');
    const uptime = async (): Promise<number> =>
      Number(/\n(\d+\.\d+) \d/.exec(await VM.run('cat /proc/uptime'))?.[1] ?? Number.NaN);
    const boot = async (): Promise<string> =>
      /[0-9a-f-]{36}/.exec(await VM.run('cat /proc/sys/kernel/random/boot_id'))?.[0] ?? 'unknown';
    const [before, same] = [await uptime(), await boot()];
    await lab.act('VM', 'suspend');
    assert.equal((await lab.node('VM'))['status'], 'suspended');
    // It stands still for as long as these take.
    await assertDoesNotReach('BOX', 'VM', at('BOX'));
    await lab.act('VM', 'start');
    assert.equal((await lab.node('VM'))['status'], 'started');
    assert.ok((await uptime()) > before, `it was up for ${before} s`);
    assert.equal(await boot(), same);
    await assertReaches('BOX', 'VM', at('BOX'));
  });

  it('leaves nothing once it is stopped, and its server ended', async () => {
    await lab.all('stop');
    assert.deepEqual([...new Set(Object.values(await lab.each('status')))], ['stopped']);
    assert.deepEqual(await leftOfNodes(lab), []);
    await lab.server?.kill('SIGTERM');
    assert.deepEqual(await leftOfServer(lab), []);
  });
});

interface EchoCounts {
  /** That arrived. */
  requests: number;
  /** That were sent. */
  replies: number;
}

/** Of the kernel's counters (proc(5), /proc/net/snmp): a line of names and one of numbers. */
const echoCounts = (text: string): EchoCounts => {
  const [names = [], numbers = []] = text
    .split(/[\r\n]+/)
    .filter((line) => line.startsWith('Icmp:'))
    .map((line) => line.trim().split(' '));
  const count = (name: string): number => Number(numbers[names.indexOf(name)] ?? Number.NaN);
  return { requests: count('InEchos'), replies: count('OutEchoReps') };
};

/** Frames of a round of pings that are none: of ARP, of neighbour discovery. */
const OTHERS = 20;

/** Standard deviations: beyond them is chance less than once in a million times. */
const SIGMAS = 5;

const assertShare = (what: string, count: number, of: number, share: number): void => {
  const bound = SIGMAS * Math.sqrt((share * (1 - share)) / of);
  const seen = `${what}: ${count} of ${of}, ${share * 100} % give or take ${(bound * 100).toFixed(1)} expected`;
  assert.ok(Math.abs(count / of - share) <= bound, seen);
};
