import { type Actor, assign, createActor, fromPromise, setup } from 'xstate';
import { conflict, messageOf, reporting } from '../../common/errors.ts';
import { Mailboxes } from '../../common/mailbox.ts';
import type { WeatherEntry } from '../../events/fields.ts';
import type { AnyEvent, DataOf, EventType } from '../../events/schemas.ts';
import type { ProjectRecord, WeatherRun } from '../../projections/records.ts';
import type { Caller } from '../caller.ts';
import { appendOne, type LabContext, openProjectOf, SYSTEM_CALLER } from '../context.ts';
import type { Directory } from '../directory.ts';
import { applyToLinks, crash, endable, leftDown, startAgain } from './apply.ts';
import type { WeatherStart } from './interface.ts';
import { isClear, nextChange, nextStartOf, type WeatherState, weatherAt } from '../../projections/weather.ts';

/**
 * A step that comes later than this was held up by more than a busy machine, and one that comes earlier by a clock that was set back: the
 * rest of the weather moves with it. Milliseconds.
 */
const MOST_LATE_MS = 1_000;
/** Between two tries of a step that the log refused. Milliseconds. */
const RETRY_MS = 1_000;
const DEFAULT_SEED = 1;

/** `next`: time of the change in the weather, in milliseconds. */
interface Due {
  next: number;
  in_ms: number;
}

interface WeatherSteps {
  due: () => Due | null;
  /** Makes the change that is due at `next`. */
  step: (next: number) => Promise<void>;
}

/** Waits for one change of a project's weather after another. Events of the log say what the weather is; this is its clock. */
export const weatherMachine = setup({
  types: {
    context: {} as { steps: WeatherSteps; due: Due | null },
    input: {} as WeatherSteps,
    events: {} as { type: 'changed' },
  },
  actors: {
    step: fromPromise(({ input: { steps, due } }: { input: { steps: WeatherSteps; due: Due | null } }) =>
      due === null ? Promise.resolve() : steps.step(due.next),
    ),
  },
  actions: { look: assign({ due: ({ context }) => context.steps.due() }) },
  guards: { isMoving: ({ context }) => context.due !== null },
  delays: { next: ({ context }) => Math.max(0, context.due?.in_ms ?? 0), retry: RETRY_MS },
}).createMachine({
  id: 'weather',
  context: ({ input }) => ({ steps: input, due: null }),
  initial: 'looking',
  states: {
    looking: {
      entry: 'look',
      always: [{ guard: 'isMoving', target: 'waiting' }, { target: 'still' }],
    },
    waiting: {
      after: { next: 'stepping' },
      on: { changed: 'looking' },
    },
    stepping: {
      invoke: { src: 'step', input: ({ context }) => context, onDone: 'looking', onError: 'refused' },
    },
    refused: {
      after: { retry: 'looking' },
      on: { changed: 'looking' },
    },
    /** Paused, over, or in a project that is closed. */
    still: {
      on: { changed: 'looking' },
    },
  },
});

type RunningProject = ProjectRecord & { weather_run: WeatherRun };

/**
 * The weather of each project, step by step. A step is on record before anything is done, and what is done is told by it alone: after an
 * end of the server, or at another one, it is finished, and the weather goes on from there.
 */
export class WeatherRuns {
  readonly #directory: Directory;
  readonly #turns = new Mailboxes();
  readonly #clocks = new Map<string, Actor<typeof weatherMachine>>();
  /** Projects whose new links wait for their turn. */
  readonly #joining = new Set<string>();
  #stopped = false;

  constructor(directory: Directory) {
    this.#directory = directory;
    directory.context.log.onCommitted((events) => {
      for (const event of events) this.#heard(event);
    });
  }

  get #context(): LabContext {
    return this.#directory.context;
  }

  start(caller: Caller, projectId: string, { seed, paused = false }: WeatherStart): Promise<void> {
    return this.#turns.run(projectId, async () => {
      const project = openProjectOf(this.#context.pending, projectId);
      if (project.weather_run !== undefined) throw conflict('the weather is on already: end it first');
      if ((project.weather ?? []).length === 0)
        throw conflict('the project has no weather yet: add some, or write it in the text of the lab, under weather');
      const since = paused ? null : Date.now();
      const chosen = seed ?? (project.seed || DEFAULT_SEED);
      await this.#append(caller, projectId, 'weather.started', { seed: chosen, since });
      await this.#begin(projectId, since);
    });
  }

  pause(caller: Caller, projectId: string): Promise<void> {
    return this.#turns.run(projectId, async () => {
      const { weather_run: run } = this.#running(projectId);
      if (run.since === null) return;
      await this.#append(caller, projectId, 'weather.paused', { at: this.#timeOf(projectId, run) });
      this.#arm(projectId);
    });
  }

  resume(caller: Caller, projectId: string): Promise<void> {
    return this.#turns.run(projectId, async () => {
      const { weather_run: run } = this.#running(projectId);
      if (run.since !== null) return;
      await this.#append(caller, projectId, 'weather.resumed', { at: run.at, since: Date.now() - run.at });
      this.#arm(projectId);
    });
  }

  /** `to`: milliseconds, a storm, or the next change. */
  skip(caller: Caller, projectId: string, to?: number | string): Promise<void> {
    return this.#turns.run(projectId, async () => {
      const { weather_run: run } = this.#running(projectId);
      const at = this.#target(projectId, run, to);
      await this.#step(projectId, at, run.since === null ? null : Date.now() - at, caller);
    });
  }

  end(caller: Caller, projectId: string): Promise<void> {
    return this.#turns.run(projectId, async () => {
      await this.#end(caller, projectId, this.#timeOf(projectId, this.#running(projectId).weather_run));
    });
  }

  /** Resolves once links have what the steps on record give them. */
  settled(projectId: string): Promise<void> {
    return this.#turns.run(projectId, () => Promise.resolve());
  }

  /** At the start, and after a fabric was replaced: finishes the last steps, and goes on. */
  recover(): void {
    for (const { project_id, state } of this.#context.committed.projects())
      if (state === 'opened') this.#goOn(project_id);
  }

  #goOn(projectId: string): void {
    void this.#turns
      .run(projectId, () => this.#finish(projectId))
      .catch(reporting(this.#context.logger, { project_id: projectId }, 'the weather could not go on'));
  }

  stop(): void {
    this.#stopped = true;
    for (const clock of this.#clocks.values()) clock.stop();
    this.#clocks.clear();
  }

  /** What was to be done with the last step and may not have been. */
  async #finish(projectId: string): Promise<void> {
    const project = this.#context.pending.get('project', projectId);
    const run = project?.weather_run;
    if (run === undefined) return this.#clear(projectId);
    if (run.stepped < 0) return this.#begin(projectId, run.since);
    const at = run.stepped;
    await this.#applyLast(projectId, run);
    crash(this.#doing(run.cause), endable(this.#context, projectId, new Set(run.down)));
    startAgain(this.#doing(run.cause), leftDown(this.#context, projectId, run));
    if (this.#isOver(projectId, at)) await this.#end(because(run.cause), projectId, at);
    else this.#arm(projectId);
  }

  #applyLast(projectId: string, run: WeatherRun): Promise<void> {
    const at = run.stepped;
    return applyToLinks(this.#context, projectId, this.#sky(projectId, at), { run: { ...run, at }, cause: run.cause });
  }

  async #begin(projectId: string, since: number | null): Promise<void> {
    if (since !== null && nextChange(this.#entries(projectId), -1) === 0) await this.#step(projectId, 0, since);
    else this.#arm(projectId);
  }

  /** The weather has ended, and links may not know. */
  async #clear(projectId: string): Promise<void> {
    const touched = this.#context.pending.ofProject('link', projectId).some(({ weather }) => weather !== undefined);
    if (touched) await this.#leaveLinks(projectId, 0);
  }

  #leaveLinks(projectId: string, cause: number): Promise<void> {
    const clear: WeatherState = { links: [], down: new Set(), names: [] };
    return applyToLinks(this.#context, projectId, clear, { run: { seed: 0, at: 0 }, cause });
  }

  async #step(projectId: string, at: number, since: number | null, caller = SYSTEM_CALLER): Promise<void> {
    const { weather_run: run } = this.#running(projectId);
    const sky = this.#sky(projectId, at);
    const falling = endable(this.#context, projectId, sky.down);
    const down = [...new Set([...run.down.filter((id) => sky.down.has(id)), ...falling])];
    const up = run.down.filter((id) => !sky.down.has(id));
    const data = { at, since, storms: sky.names, down, up };
    const by = caller.by === SYSTEM_CALLER.by ? because(run.cause) : caller;
    const { position } = await this.#append(by, projectId, 'weather.stepped', data);
    crash(this.#doing(position), falling);
    startAgain(this.#doing(position), up);
    const goesOn = at <= (nextChange(this.#entries(projectId), run.stepped) ?? Infinity);
    await applyToLinks(this.#context, projectId, sky, { run: { ...run, at }, cause: position, goesOn });
    if (this.#isOver(projectId, at)) await this.#end(because(position), projectId, at);
    else this.#arm(projectId);
  }

  async #end(caller: Caller, projectId: string, at: number): Promise<void> {
    const { down } = this.#running(projectId).weather_run;
    const { position } = await this.#append(caller, projectId, 'weather.ended', { at });
    this.#arm(projectId);
    startAgain(this.#doing(position), down);
    await this.#leaveLinks(projectId, position);
  }

  #isOver(projectId: string, at: number): boolean {
    return nextChange(this.#entries(projectId), at) === null && isClear(this.#sky(projectId, at));
  }

  #entries(projectId: string): readonly WeatherEntry[] {
    return this.#context.pending.get('project', projectId)?.weather ?? [];
  }

  #sky(projectId: string, at: number): WeatherState {
    return weatherAt(this.#entries(projectId), at);
  }

  #running(projectId: string): RunningProject {
    const project = openProjectOf(this.#context.pending, projectId);
    if (project.weather_run === undefined) throw conflict('the weather is not on: start it first');
    return { ...project, weather_run: project.weather_run };
  }

  /** Its time now; what is due and was not done yet is still to come. */
  #timeOf(projectId: string, { stepped, at, since }: WeatherRun): number {
    if (since === null) return at;
    const next = nextChange(this.#entries(projectId), stepped) ?? Infinity;
    return Math.max(stepped, Math.min(Date.now() - since, next - 1), 0);
  }

  #target(projectId: string, run: WeatherRun, to: number | string | undefined): number {
    const entries = this.#entries(projectId);
    const now = this.#timeOf(projectId, run);
    const first = Math.max(now, run.stepped + 1);
    if (typeof to === 'number') {
      if (to >= first) return to;
      throw conflict(`the weather is at ${now / 1000} s already; to go back, end it and start it again`);
    }
    const at = to === undefined ? nextChange(entries, run.stepped) : nextStartOf(entries, to, first);
    if (at !== null) return at;
    throw conflict(
      to === undefined ? 'nothing changes any more' : `no entry of the weather that is called ${to} begins after this`,
    );
  }

  /** When the next change is due; null: none is. Milliseconds from now. */
  #nextOf(projectId: string): Due | null {
    const project = this.#context.pending.get('project', projectId);
    const { since, stepped } = project?.weather_run ?? { since: null, stepped: 0 };
    if (since === null || project?.state !== 'opened') return null;
    const next = nextChange(this.#entries(projectId), stepped);
    // Never longer than from the last step: the clock may have been set back since.
    return next === null ? null : { next, in_ms: Math.min(since + next - Date.now(), next - stepped) };
  }

  /** Lets the clock of a project wait for its next change, if there is one. */
  #arm(projectId: string): void {
    if (this.#stopped) return;
    const clock = this.#clocks.get(projectId);
    if (this.#nextOf(projectId) === null) {
      clock?.stop();
      this.#clocks.delete(projectId);
    } else if (clock === undefined) this.#clocks.set(projectId, this.#clock(projectId));
    else clock.send({ type: 'changed' });
  }

  #clock(projectId: string): Actor<typeof weatherMachine> {
    const clock = createActor(weatherMachine, {
      input: { due: () => this.#nextOf(projectId), step: (next) => this.#due(projectId, next) },
    });
    // Without an observer an actor's error would end the process.
    clock.subscribe({ error: reporting(this.#context.logger, { project_id: projectId }, 'the clock of the weather') });
    return clock.start();
  }

  async #due(projectId: string, next: number): Promise<void> {
    try {
      await this.#turns.run(projectId, async () => {
        const run = this.#context.pending.get('project', projectId)?.weather_run;
        // Something else has had its turn.
        if (run == null || run.since === null || run.stepped >= next) return;
        const late = Date.now() - (run.since + next);
        await this.#step(projectId, next, Math.abs(late) > MOST_LATE_MS ? run.since + late : run.since);
      });
    } catch (error) {
      this.#context.logger.warn({ project_id: projectId }, `a step of the weather: ${messageOf(error)}`);
      throw error;
    }
  }

  #heard({ type, project_id, data }: AnyEvent): void {
    if (project_id === null || !this.#context.log.writable) return;
    // It was changed while it is on: what it is now holds from here on.
    if (type === 'project.updated' && 'weather' in data.changes)
      void this.#changed(project_id).catch(reporting(this.#context.logger, { project_id }, 'the changed weather'));
    if (type === 'link.created' || type === 'link.restored') this.#joined(project_id);
    // A step may have been under way when it was closed.
    if (type === 'project.opened') this.#goOn(project_id);
    if (type === 'weather.ended') this.#arm(project_id);
  }

  #changed(projectId: string): Promise<void> {
    return this.#turns.run(projectId, async () => {
      const project = this.#context.pending.get('project', projectId);
      const run = project?.weather_run;
      if (run === undefined || project?.state !== 'opened') return;
      await this.#step(projectId, Math.max(0, run.stepped, this.#timeOf(projectId, run)), run.since);
    });
  }

  /** Gives a link that was created after the last step the weather of that step. */
  #joined(projectId: string): void {
    const isOn = this.#context.pending.get('project', projectId)?.weather_run !== undefined;
    if (!isOn || this.#joining.has(projectId)) return;
    this.#joining.add(projectId);
    void this.#turns
      .run(projectId, async () => {
        this.#joining.delete(projectId);
        const { state, weather_run: run } = this.#context.pending.get('project', projectId) ?? {};
        if (run !== undefined && run.stepped >= 0 && state === 'opened') await this.#applyLast(projectId, run);
      })
      .catch(reporting(this.#context.logger, { project_id: projectId }, 'the weather of a new link'));
  }

  #doing(cause: number): { context: LabContext; directory: Directory; cause: number } {
    return { context: this.#context, directory: this.#directory, cause };
  }

  #append<T extends Extract<EventType, `weather.${string}`>>(
    caller: Caller,
    project_id: string,
    type: T,
    data: Omit<DataOf<T>, 'project_id'>,
  ): Promise<AnyEvent> {
    return appendOne(this.#context, caller, project_id, type, { project_id, ...data } as DataOf<T>);
  }
}

const because = (cause: number): Caller => ({ ...SYSTEM_CALLER, cause });
