import type { Caller, Commands } from '../../src/actors/commands.ts';
import { TopologError } from '../../src/common/errors.ts';
import type { RecordView } from '../../src/projections/records.ts';
import { Expectations, type Thing } from '../faults/expectations.ts';
import { chooseOperation, favouriteOf, type Operation } from './operations/operations.ts';
import type { Owner, World } from './world.ts';

/** A request and what became of it. */
export interface Asked {
  id: string;
  operation: Operation;
  sent: number;
  /** `unknown`: nobody answered, or the answer leaves it open. */
  outcome: 'waiting' | 'done' | 'refused' | 'unknown';
  /** As it was when it came. */
  answer: unknown;
}

/** The server as clients reach it. */
export interface Reachable {
  owner: Owner;
  commands: Commands;
  records: RecordView;
}

/** Longest that a request may take. Milliseconds of the simulated clock. */
const LONGEST_MS = 900_000;

/** Answers that say nothing of what was done. */
const OPEN = new Set(['log_read_only', 'disk_full', 'shutting_down', 'fabric_lost', 'deadline', 'internal']);

/** Asks one thing after another, and remembers what was answered. */
export class Client {
  readonly name: string;
  readonly home: string;
  readonly expectations = new Expectations();
  readonly asked: Asked[] = [];
  readonly marks: string[] = [];
  readonly #world: World;
  readonly #attended: (() => void)[] = [];
  readonly #favourite: ReturnType<typeof favouriteOf>;
  /** Something was left open: until it has looked, it knows not what is. */
  isUnsure = false;
  #again: Operation | null = null;
  #made = 0;

  constructor(world: World, name: string, home: string) {
    this.#world = world;
    this.#favourite = favouriteOf(world);
    this.name = name;
    this.home = home;
  }

  get waiting(): Asked | null {
    const last = this.asked.at(-1);
    return last?.outcome === 'waiting' ? last : null;
  }

  /** Sends the next request. `answered` is called once there is an answer. */
  ask(server: Reachable, answered: () => void): void {
    const operation = this.#again ?? this.#choose(server.records);
    this.#again = null;
    const asked: Asked = {
      id: `${this.name}-${this.asked.length}`,
      ...{ operation, sent: this.#world.now, outcome: 'waiting', answer: null },
    };
    this.asked.push(asked);
    if (operation.mark !== undefined && !this.marks.includes(operation.mark)) this.marks.push(operation.mark);
    this.#world.trace(`${asked.id} asks: ${operation.what}`);
    const arrive = (): void => this.#arrive(server, asked, answered);
    this.#world.after(this.#world.latency(0.2), `${asked.id} arrives: ${operation.what}`, arrive, {
      owner: server.owner,
    });
  }

  #choose(records: RecordView): Operation {
    const own = [...this.expectations.world].filter((entry): entry is [string, Thing] => entry[1] !== null);
    const name = (): string => `${this.name}${++this.#made}`;
    const world = this.#world;
    const choice = { world, records, home: this.home, own, name, attended: this.#attended, favourite: this.#favourite };
    return chooseOperation(choice);
  }

  #arrive({ commands }: Reachable, asked: Asked, answered: () => void): void {
    const caller: Caller = {
      by: { principal: this.name, address: '127.0.0.1', agent: 'simulation' },
      request_id: asked.id,
    };
    const reply = (outcome: Asked['outcome'], answer: unknown, said: string): void => {
      const copy: unknown = answer === undefined ? null : structuredClone(answer);
      const heard = (): void => {
        this.#heard(asked, outcome, copy);
        answered();
      };
      const { outside } = this.#world;
      this.#world.after(this.#world.latency(0.2), `${asked.id} is answered: ${said}`, heard, { owner: outside });
    };
    const failed = (error: unknown): void => {
      if (!(error instanceof TopologError))
        this.#world.problem(`${asked.id} ${asked.operation.what}: a defect: ${stackOf(error)}`);
      const isOpen = !(error instanceof TopologError) || OPEN.has(error.code);
      reply(isOpen ? 'unknown' : 'refused', null, String(error));
    };
    void asked.operation.run(commands, caller).then((answer) => reply('done', answer, 'done'), failed);
  }

  #heard(asked: Asked, outcome: Asked['outcome'], answer: unknown): void {
    if (asked.outcome !== 'waiting') return;
    asked.outcome = outcome;
    asked.answer = answer;
    const { done } = asked.operation;
    if (outcome === 'done' && done !== undefined) {
      this.expectations.answered(done);
      this.#checkAnswer(asked, Object.values(done)[0] ?? null);
    }
    if (outcome === 'unknown') this.#leftOpen(asked.operation);
  }

  /** Nobody else changes its own things: an answer is what was asked for. */
  #checkAnswer({ id, operation, answer }: Asked, thing: Thing | null): void {
    if (thing === null || operation.together !== undefined) return;
    const said = answer as Record<string, unknown>;
    if (Object.entries(thing).some(([key, value]) => said[key] !== value))
      this.#world.problem(`${id} (${operation.what}) was answered ${JSON.stringify(said)}`);
  }

  #leftOpen({ what, done }: Operation): void {
    if (done === undefined) return;
    this.isUnsure = true;
    const before = Object.fromEntries(Object.keys(done).map((key) => [key, this.expectations.world.get(key) ?? null]));
    this.expectations.unanswered({ what, outcomes: [before, done] });
  }

  /** The server is gone: nobody answers. */
  cutOff(): void {
    this.#attended.length = 0;
    const asked = this.waiting;
    if (asked === null) return;
    asked.outcome = 'unknown';
    this.#leftOpen(asked.operation);
    // A client with a key asks again.
    if (asked.operation.mark !== undefined) this.#again = asked.operation;
  }

  /** Sentences on what is not as it was answered. */
  compare(actual: ReadonlyMap<string, Thing>): string[] {
    this.isUnsure = false;
    return this.expectations.compare(actual);
  }

  /** What it should have been answered by now. */
  overdue(): Asked | null {
    const asked = this.waiting;
    return asked !== null && this.#world.now - asked.sent > LONGEST_MS ? asked : null;
  }
}

const stackOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));
