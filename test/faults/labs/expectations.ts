import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { AnyEvent } from '../../../src/events/schemas.ts';
import type { TestServer } from '../../support/server.ts';
import type { Planted } from './faults.ts';
import type { MadeLab } from './made-lab.ts';
import { unanswered } from './captured.ts';
import { until } from '../../../src/common/promises.ts';

/** From one look of an expectation to the next. Milliseconds. */
const PERIOD_MS = 1000;
/** Of a look, beyond its period: two requests, and the wait for the answer of the second. Milliseconds. */
const LOOK_MS = 600;
/** How far an expectation may be from the capture. Milliseconds. */
const EXACT_MS = 50;
/** Longest until an expectation holds again, or tells at all. Milliseconds. */
const PATIENCE_MS = 30_000;
/** Octets of data in a large packet. */
export const LARGE = 1400;

interface Expectation {
  from: string;
  to: string;
  size: number | undefined;
  check_id: string;
  /** Of the check that is broken. */
  verdict: () => Promise<{ verdict: string; position: number | null }>;
}

/** How an expectation found a fault. Milliseconds. */
export interface Found {
  /** From the fault to the request that proves it. */
  after: number;
  /** Between that and the nearest request in the capture that it may be; null: none came to the link. */
  off: number | null;
  /** It was found by the first look behind it, and told with that look: as long as the machine has nothing else to do. */
  isSoon: boolean;
  problem: string | null;
}

/** What is expected of a lab all the time: each pair reaches each other, with small packets and with large ones. */
export class Expectations {
  readonly #server: TestServer;
  readonly #lab: MadeLab;
  readonly #all: Expectation[] = [];

  constructor(server: TestServer, lab: MadeLab) {
    this.#server = server;
    this.#lab = lab;
  }

  async begin(): Promise<void> {
    const { spec, nodes, id } = this.#lab;
    for (const [from, to] of spec.pairs)
      for (const size of [undefined, LARGE]) {
        const address = spec.pcs.find(({ name }) => name === to)?.address;
        const reach = { from: nodes.get(from), to: address, ...(size === undefined ? {} : { size }) };
        const { check_id } = await this.#lab.ask('ada', 'POST', '/checks', { reach, every: `${PERIOD_MS}ms` });
        const verdict = async () => {
          const { body } = await this.#server.request('GET', `/v2/projects/${id}/checks/${String(check_id)}`);
          return (body as { result: Awaited<ReturnType<Expectation['verdict']>> }).result;
        };
        this.#all.push({ from, to, size, check_id: String(check_id), verdict });
      }
  }

  /** Resolves once all of them hold. */
  async hold(): Promise<void> {
    for (const { from, to, size, verdict } of this.#all) {
      const isMet = async (): Promise<boolean> => (await verdict()).verdict === 'met';
      const what = `${from} reaches ${to}${size === undefined ? '' : ` with ${size} octets`}`;
      const isSeen = await until(isMet, { every: 50, within: PATIENCE_MS });
      assert.ok(isSeen, `${this.#lab.spec.name}: nobody sees that ${what}`);
    }
  }

  /** Captures the links of the senders of all pairs, until it is asked for. */
  async tap(): Promise<Taps> {
    const { spec, links } = this.#lab;
    const taps = new Map<string, { link_id: string; file: string }>();
    for (const from of new Set(spec.pairs.map(([name]) => name))) {
      const { link_id } = links.find(({ ends }) => ends.some((end) => end.split(':')[0] === from)) ?? { link_id: '' };
      const { capture_file_path } = await this.#lab.ask('ada', 'POST', `/links/${link_id}/start_capture`);
      taps.set(from, { link_id, file: String(capture_file_path) });
    }
    return taps;
  }

  /** Ends the captures, and holds what the expectation of a fault told against them. `guilty`: the event of the fault. */
  async found({ from, to, size }: Planted, taps: Taps, guilty: AnyEvent): Promise<Found> {
    const done = Date.now();
    const mine = this.#all.find((one) => one.from === from && one.to === to && one.size === size);
    assert.ok(mine !== undefined, `nobody expects that ${from} reaches ${to}`);
    const told = await this.#broken(mine);
    await this.#untap(taps);
    const fault = Date.parse(guilty.at);
    if (told === null) return { after: Infinity, off: null, isSoon: false, problem: 'no expectation is broken' };
    const { evidence } = told.data;
    const at = Date.parse(evidence.at ?? told.at);
    const addressOf = (name: string): string => this.#lab.spec.pcs.find((pc) => pc.name === name)?.address ?? '';
    const file = taps.get(from)?.file ?? '';
    const ends = { from: addressOf(from), to: addressOf(to), size: size ?? 56 };
    const requests = unanswered(await readFile(file), ends, { after: fault, before: Date.parse(told.at) });
    const off = requests.length === 0 ? null : Math.min(...requests.map((one) => Math.abs(at - one)));
    const most = done + PERIOD_MS;
    const isSoon = at <= most + EXACT_MS && Date.parse(told.at) <= most + LOOK_MS + EXACT_MS;
    const problem =
      at < fault
        ? `an expectation was broken at ${new Date(at).toISOString()}, before the fault at ${guilty.at}`
        : off !== null && off > EXACT_MS
          ? `an expectation says ${new Date(at).toISOString()}, and the capture ${Math.round(off)} ms beside it`
          : null;
    return { after: at - fault, off, isSoon, problem };
  }

  async #broken({ verdict }: Expectation): Promise<Extract<AnyEvent, { type: 'check.broken' }> | null> {
    const look = async (): Promise<number | null> => {
      const { verdict: said, position } = await verdict();
      return said === 'broken' ? position : null;
    };
    const position = await until(look, { every: 20, within: PATIENCE_MS });
    if (position === null) return null;
    const told = await this.#lab.eventAt(position);
    assert.equal(told.type, 'check.broken');
    return told;
  }

  /** A link that is gone has ended its capture. */
  async #untap(taps: Taps): Promise<void> {
    const path = (link_id: string): string => `/v2/projects/${this.#lab.id}/links/${link_id}/stop_capture`;
    for (const { link_id } of taps.values()) {
      const { status, text } = await this.#server.request('POST', path(link_id), {});
      assert.ok(status < 300 || status === 404, `the end of a capture: ${status} ${text}`);
    }
  }
}

type Taps = ReadonlyMap<string, { link_id: string; file: string }>;
