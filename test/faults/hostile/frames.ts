import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { atmSwitch } from '../../../src/fabric/models/switches/atm-switch.ts';
import { ethernetHub } from '../../../src/fabric/models/switches/ethernet-hub.ts';
import { ethernetSwitch } from '../../../src/fabric/models/switches/ethernet-switch.ts';
import { frameRelaySwitch } from '../../../src/fabric/models/switches/frame-relay-switch.ts';
import { host } from '../../../src/fabric/models/host.ts';
import type { IpHost } from '../../../src/fabric/models/host/ip-host.ts';
import { traceTool } from '../../../src/fabric/models/trace-tool.ts';
import { summarise } from '../../../src/fabric/packets/summary.ts';
import { type Bench, createBench, openConsole, type Plug } from '../../fabric/models/bench.ts';
import { seeded } from '../prng.ts';
import { Coverage } from './coverage.ts';
import { answerTo } from './frame-answers.ts';
import { FrameMaker, HOST } from './frame-maker.ts';

/** Frames between two looks at the clock, the coverage and the state of the nodes. */
const CHUNK = 500;
/** Of all frames, and at most so many, those that are watched for new code. */
const WATCHED = 0.2;
const MOST_WATCHED = 100_000;
/** No frame may cost more: milliseconds of the processor, which other processes do not lengthen. */
const MOST_MS = 1_000;
/** Timers of all nodes: questions to ARP, those who wait for them, clients of DHCP and DNS. */
const MOST_TIMERS = 4_000;
const MOST_NEIGHBOURS = 1_024;
/** What may stay of any number of frames: tables that are full. Octets. */
const MOST_KEPT = 64e6;
/** Link types of captures: Ethernet, ATM, Frame Relay, HDLC, PPP, and one that is none. */
const LINK_TYPES = [1, 100, 107, 104, 9, 255];

export interface FrameFigures {
  frames: number;
  perSecond: number;
  /** Parts of src/fabric that ran. */
  reached: number;
  slowestMs: number;
  neighbours: number;
  timers: number;
  /** Octets of the heap that the frames left. */
  kept: number;
  problems: string[];
}

interface Victim {
  name: string;
  receive(frame: Uint8Array, port: number): void;
}

/** Sends frames to every kind of embedded node, one after the other in this process, and looks what becomes of them. */
export class FrameAttack {
  readonly #bench: Bench = createBench();
  readonly #random;
  readonly #maker: FrameMaker;
  readonly #seed: number;
  readonly #hosts: (IpHost & { plug: Plug })[] = [];
  readonly #victims: Victim[] = [];
  readonly #problems: string[] = [];
  #slowest = 0;
  #timers = 0;

  constructor(seed: number) {
    this.#seed = seed;
    this.#random = seeded(seed);
    this.#maker = new FrameMaker(this.#random);
  }

  /** `until`: no frame more once it says so. */
  async run(frames: number, until: () => boolean = () => false): Promise<FrameFigures> {
    await this.#begin();
    const from = performance.now();
    const coverage = new Coverage('/src/fabric/');
    let sent = 0;
    let before = 0;
    for (; sent < frames && this.#problems.length < 5 && !until(); sent += CHUNK) {
      const isWatched = sent < Math.min(frames * WATCHED, MOST_WATCHED);
      if (!isWatched && before === 0) {
        coverage.stop();
        before = heap();
      }
      const made = this.#chunk(sent, Math.min(CHUNK, frames - sent));
      if (isWatched && coverage.look() > 0) this.#maker.keep(made);
      await this.#bench.clock.run(this.#random.below(400));
      this.#check();
    }
    const kept = before === 0 ? 0 : heap() - before;
    if (kept > MOST_KEPT) this.#problems.push(`frames left ${kept} octets in memory`);
    return {
      ...{ frames: Math.min(sent, frames), perSecond: Math.round((sent / (performance.now() - from)) * 1000) },
      ...{ reached: coverage.reached, slowestMs: this.#slowest, neighbours: this.#neighbours(), kept },
      ...{ timers: this.#timers, problems: this.#problems },
    };
  }

  async #begin(): Promise<void> {
    const { clock } = this.#bench;
    const [known, lost] = [this.#bench.host(1), this.#bench.host(2)];
    await this.#bench.address(known, HOST.address.join('.') + '/8', '10.0.0.254');
    this.#hosts.push(known, lost);
    for (const one of this.#hosts) {
      one.dns = ['10.0.0.253'];
      one.plug.connect((frame) => this.#answer(frame, one.plug.receive));
      this.#victims.push({ name: `host ${one.mac}`, receive: (frame) => one.receive(frame) });
    }
    const mapping = { name: 'a', port_number: 0, type: 'access', vlan: 1 };
    const ports_mapping = [
      mapping,
      { ...mapping, port_number: 1, type: 'dot1q' },
      { ...mapping, port_number: 2, type: 'qinq', vlan: 5, ethertype: '0x88A8' },
    ];
    const models: [string, ReturnType<Bench['node']>][] = [
      ['ethernet_switch', this.#bench.node(ethernetSwitch, { ports_mapping }, 3)],
      ['ethernet_hub', this.#bench.node(ethernetHub, {}, 3)],
      ['frame_relay_switch', this.#bench.node(frameRelaySwitch, { mappings: { '0:100': '1:200' } }, 3)],
      ['atm_switch', this.#bench.node(atmSwitch, { mappings: { '0:1': '1:2', '0:3:4': '2:5:6' } }, 3)],
      ['simple_pc', this.#bench.node(host, { mac: '00:50:79:66:68:03' }, 1)],
      ['trace_tool', this.#bench.node(traceTool, { ip_address: '10.0.0.9/24 10.0.0.254', destination: '10.9.9.9' }, 1)],
    ];
    for (const [name, { model, ...node }] of models) {
      const plug = node.port(0);
      this.#victims.push({ name, receive: (frame, at) => model.receive(0, at, frame) });
      if (name === 'simple_pc' || name === 'trace_tool') plug.connect((frame) => this.#answer(frame, plug.receive));
      if (model.console !== null) openConsole(model.console).type('ip 10.0.0.1/24\r');
    }
    this.#victims.push({ name: 'summary', receive: (frame, at) => void summarise(LINK_TYPES[at] ?? 1, frame) });
    await clock.run(5_000);
  }

  /** Answers come as they should now and then, and what is made of them comes at any time. */
  #answer(frame: Uint8Array, receive: (frame: Uint8Array) => void): void {
    const answer = answerTo(frame);
    if (answer === null) return;
    if (this.#random.below(10) === 0) this.#maker.keep([answer]);
    if (this.#random.below(3) > 0) this.#bench.clock.timer(1, () => receive(answer));
  }

  #chunk(from: number, count: number): Uint8Array[] {
    this.#ask();
    const made: Uint8Array[] = [];
    for (let n = 0; n < count; n++) {
      const frame = this.#maker.make();
      made.push(frame);
      for (const victim of this.#victims) this.#send(victim, frame, from + n);
    }
    return made;
  }

  /** Nodes that wait for something have more to do with what comes. */
  #ask(): void {
    for (const one of this.#hosts) {
      const asked: Promise<unknown>[] = [one.resolve('pc1')];
      if (this.#random.below(4) === 0)
        asked.push(
          one.dhcp(() => undefined),
          one.renew(),
        );
      for (const protocol of ['icmp', 'udp', 'tcp'] as const)
        asked.push(one.probe('10.0.0.77', { protocol, sequence: 1, identifier: 1, port: 7, source_port: 50_000 }));
      for (const one of asked) one.catch((error: unknown) => this.#problems.push(`asking: ${String(error)}`));
    }
  }

  #send(victim: Victim, frame: Uint8Array, number: number): void {
    const copy = this.#random.below(50) === 0 ? frame.slice() : undefined;
    const from = process.cpuUsage();
    try {
      victim.receive(frame, this.#random.below(4));
    } catch (error) {
      this.#blame(victim, frame, number, error instanceof Error ? (error.stack ?? error.message) : String(error));
    }
    const { user, system } = process.cpuUsage(from);
    const took = (user + system) / 1000;
    this.#slowest = Math.max(this.#slowest, took);
    if (took > MOST_MS) this.#blame(victim, frame, number, `took ${Math.round(took)} ms`);
    if (copy !== undefined && Buffer.compare(copy, frame) !== 0)
      this.#blame(victim, frame, number, 'changed its frame');
  }

  #blame({ name }: Victim, frame: Uint8Array, number: number, what: string): void {
    this.#problems.push(
      `frame ${number} of seed ${this.#seed} at ${name}: ${what}\n    ${Buffer.from(frame).toString('hex')}`,
    );
  }

  #neighbours(): number {
    return Math.max(...this.#hosts.map((one) => one.arpTable().length));
  }

  #check(): void {
    this.#timers = Math.max(this.#timers, this.#bench.clock.waiting);
    if (this.#bench.clock.waiting > MOST_TIMERS) this.#problems.push(`${this.#bench.clock.waiting} timers wait`);
    if (this.#neighbours() > MOST_NEIGHBOURS) this.#problems.push(`${this.#neighbours()} neighbours are known`);
    // Two servers that do not exist are asked again and again: an address that came is given up.
    if (this.#random.below(20) === 0) this.#hosts[1]?.clearAddress();
  }
}

const heap = (): number => {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
};
