import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { conflict, invalid, messageOf, notFound } from '../common/errors.ts';
import type { Difference } from './compare.ts';
import type { ReplayHost } from './host.ts';
import type { Progress } from './perform.ts';
import { readSession } from './read-session.ts';
import { createReplay, type Replay, type ReplayOptions, type ReplayReport } from './replay.ts';

/** Options of a replay. Default: at the recorded speed, with recorded engines, whole, not kept. */
export interface ReplayRequest {
  /** Times as fast as it was recorded. */
  speed?: number;
  as_fast?: boolean;
  engine?: 'auto' | 'simulated';
  /** First and last position. */
  from?: number;
  to?: number;
  keep?: boolean;
}

export interface ReplayStatus {
  replay_id: string;
  /** The project whose recording is replayed. */
  source_project_id: string;
  /** The replay's own project. */
  project_id: string;
  name: string;
  state: 'running' | 'done' | 'failed' | 'cancelled';
  started_at: string;
  ended_at: string | null;
  progress: Omit<Progress, 'at'>;
  /** Steps that were performed; null while it runs. */
  performed: number | null;
  /** null while it runs. */
  differences: Difference[] | null;
  notes: string[];
  /** Why it failed. */
  failure: string | null;
}

export interface ReplaysDeps {
  /** A whole session of a project of this server. */
  session(projectId: string): Promise<Readable>;
  /** The facade, as `user` asks it; null: as nobody in particular. */
  host(user: string | null): ReplayHost;
}

const MOST_RUNNING = 2;
const MOST_KEPT = 20;

interface Entry {
  status: ReplayStatus;
  abort: AbortController;
  ended: Promise<void>;
}

/** The replays of a server, in memory; their events are in the log like those of any other project. */
export class Replays {
  readonly #deps: ReplaysDeps;
  readonly #entries = new Map<string, Entry>();
  /** Replays whose session is being read. */
  #beginning = 0;

  constructor(deps: ReplaysDeps) {
    this.#deps = deps;
  }

  /** Resolves once the replay is under way. Throws what is wrong with the request or the recording. */
  async start(projectId: string, request: ReplayRequest, user: string | null): Promise<ReplayStatus> {
    const options = optionsOf(request);
    const running = [...this.#entries.values()].filter(({ status }) => status.state === 'running').length;
    if (running + this.#beginning >= MOST_RUNNING)
      throw conflict(`${MOST_RUNNING} replays are running already; wait for one to end, or cancel it`);
    this.#beginning++;
    try {
      const session = await readSession(await this.#deps.session(projectId));
      return this.#run(projectId, createReplay(this.#deps.host(user), session, options));
    } finally {
      this.#beginning--;
    }
  }

  /** Oldest first. */
  list(projectId: string): ReplayStatus[] {
    return [...this.#entries.values()].map((e) => e.status).filter((s) => s.source_project_id === projectId);
  }

  get(projectId: string, replayId: string): ReplayStatus {
    return this.#entry(projectId, replayId).status;
  }

  /** Ends a replay after its current step; resolves once it has ended. Removes one that has ended before. */
  async cancel(projectId: string, replayId: string): Promise<void> {
    const { status, abort, ended } = this.#entry(projectId, replayId);
    if (status.state !== 'running') this.#entries.delete(replayId);
    abort.abort();
    await ended;
  }

  /** Cancels all replays, and gives them `graceMs` to remove their projects. */
  async close(graceMs = 5_000): Promise<void> {
    const running = [...this.#entries.values()].filter(({ status }) => status.state === 'running');
    for (const { abort } of running) abort.abort();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, graceMs)));
    await Promise.race([Promise.all(running.map(({ ended }) => ended)), late]);
    clearTimeout(timer);
  }

  #entry(projectId: string, replayId: string): Entry {
    const entry = this.#entries.get(replayId);
    if (entry?.status.source_project_id !== projectId) throw notFound('Replay', replayId);
    return entry;
  }

  #run(projectId: string, replay: Replay): ReplayStatus {
    const status: ReplayStatus = {
      replay_id: randomUUID(),
      source_project_id: projectId,
      project_id: replay.project_id,
      name: replay.name,
      state: 'running',
      started_at: new Date().toISOString(),
      ended_at: null,
      progress: { step: 0, of: replay.steps, current: '', left_ms: null },
      performed: null,
      differences: null,
      notes: [],
      failure: null,
    };
    const abort = new AbortController();
    const ended = replay
      .run(abort.signal, ({ step, of, current, left_ms }) => (status.progress = { step, of, current, left_ms }))
      .then(
        (report) => finish(status, report),
        (error: unknown) => fail(status, error),
      );
    this.#entries.set(status.replay_id, { status, abort, ended });
    this.#forgetOldest();
    return status;
  }

  #forgetOldest(): void {
    for (const [id, { status }] of this.#entries) {
      if (this.#entries.size <= MOST_KEPT) return;
      if (status.state !== 'running') this.#entries.delete(id);
    }
  }
}

const optionsOf = (request: ReplayRequest): ReplayOptions => {
  const { speed, as_fast = false, engine = 'auto', from, to, keep = false } = request;
  if (as_fast && speed !== undefined) throw invalid('speed and as_fast contradict each other', { field: 'as_fast' });
  if (from !== undefined && to !== undefined && from > to)
    throw invalid(`from must not be after to (${to})`, { field: 'from' });
  return {
    speed: as_fast ? null : (speed ?? 1),
    engine,
    keep,
    consoles: false,
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
};

const finish = (status: ReplayStatus, report: ReplayReport): void => {
  const { performed, differences, notes, steps } = report;
  Object.assign(status, { state: report.state, performed, differences, notes, ended_at: new Date().toISOString() });
  if (report.state === 'done') status.progress = { step: steps, of: steps, current: '', left_ms: 0 };
};

const fail = (status: ReplayStatus, error: unknown): void => {
  Object.assign(status, { state: 'failed', failure: messageOf(error), ended_at: new Date().toISOString() });
};
