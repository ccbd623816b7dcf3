import { reporting } from '../../common/errors.ts';
import type { CheckRecord } from '../../common/forms/check.ts';
import { Mailboxes } from '../../common/mailbox.ts';
import { isVisualChange } from '../../events/visual-changes.ts';
import type { AnyEvent } from '../../events/schemas.ts';
import type { FabricEvent } from '../../fabric/client/keeper.ts';
import { appendOne, type LabContext, SYSTEM_CALLER } from '../context.ts';
import type { Finding } from './decide.ts';
import { CheckLoop, type LastLook } from './loop.ts';
import type { WeatherRuns } from '../weather/runs.ts';
import { Questions } from './questions.ts';
import { Run } from './run.ts';

/** What checks may see, by the types of events. */
const SEEN = /^(node\.(?!recording|trace|nio)|link\.|weather\.)/;
/** Events after which a lab may run, or may run no more. */
const TURNS = /^node\.(started|resumed|reloaded|adopted|stopped|exited|lost|suspended|deleted|unreachable)$/;

/** The checks of all labs that run: begins with them, ends with them, and goes on after a restart of the server. */
export class Checks {
  readonly #context: LabContext;
  readonly #weather: Pick<WeatherRuns, 'settled'>;
  readonly #questions: Questions;
  readonly #runs = new Map<string, Run>();
  /** Projects whose nodes are just being started or stopped, all of them. */
  readonly #busy = new Set<string>();
  readonly #queues = new Mailboxes();
  #isOn = false;

  constructor(context: LabContext, weather: Pick<WeatherRuns, 'settled'>) {
    this.#context = context;
    this.#weather = weather;
    this.#questions = new Questions(context);
    context.log.onCommitted((events) => {
      if (this.#isOn) for (const event of events) this.#happened(event);
    });
  }

  /** At the start, once it is known what runs. */
  begin(): void {
    this.#isOn = true;
    for (const { project_id } of this.#context.committed.projects()) this.#settle(project_id, null);
  }

  heard(event: FabricEvent): void {
    if (event.type === 'node.probed' || event.type === 'console.answered') this.#questions.heard(event);
    else if (event.type === 'watch.matched') this.#runs.get(event.project_id)?.matched(event);
  }

  /** Looks at a check at once, and at nothing else. */
  async look(projectId: string, check: CheckRecord): Promise<Finding> {
    const { context, questions } = { context: this.#context, questions: this.#questions };
    const tell = () => Promise.resolve();
    // Nobody hears of its verdict.
    const parts = {
      context,
      questions,
      projectId,
      check,
      began: Date.now(),
      is_met: undefined,
      isResumed: false,
      tell,
    };
    const loop = new CheckLoop({ ...parts, isTime: () => false });
    try {
      return await loop.lookNow();
    } finally {
      loop.stop();
    }
  }

  /** What was found last by a run that goes on; null: nothing yet, or none does. */
  lastLook(projectId: string, checkId: string): LastLook | null {
    return this.#runs.get(projectId)?.lastLook(checkId) ?? null;
  }

  #happened(event: AnyEvent): void {
    const { type, project_id: id, position, data } = event;
    if (id === null) return;
    if (SEEN.test(type) && !isVisualChange(event)) this.#runs.get(id)?.happened(position);
    if (type.startsWith('weather.')) this.#weatherChanged(id);
    if (type === 'project.nodes_requested') {
      this.#busy.add(id);
      if ('action' in data && data.action !== 'start') this.#over(id, position);
    } else if (type === 'project.nodes_finished') {
      this.#busy.delete(id);
      this.#settle(id, position);
    } else if (type === 'project.close_requested' || type === 'project.restore_requested') this.#over(id, position);
    else if (type === 'project.deleted') this.#stop(id);
    // The last check may have gone while its begin was written.
    else if (TURNS.test(type) || type === 'run.begun') this.#settle(id, position);
    else if (type === 'project.updated' && 'changes' in data && 'checks' in data.changes) this.#settle(id, position);
  }

  #weatherChanged(projectId: string): void {
    this.#runs.get(projectId)?.weatherChanged(false);
    void this.#weather.settled(projectId).then(() => this.#runs.get(projectId)?.weatherChanged(true));
  }

  /** Begins or ends a run, as the records say. `cause`: position of the event that asks for it. */
  #settle(projectId: string, cause: number | null): void {
    if (this.#busy.has(projectId)) return;
    const { committed, logger } = this.#context;
    const record = committed.get('run', projectId);
    const isOn = record?.is_over === false;
    // Most labs have none.
    if (!isOn && (committed.get('project', projectId)?.checks ?? []).length === 0) return;
    void this.#queues
      .run(projectId, () => this.#settled(projectId, cause))
      .catch(reporting(logger, { project_id: projectId }, 'a run of checks is not on record'));
  }

  async #settled(projectId: string, cause: number | null): Promise<void> {
    const { committed } = this.#context;
    const checks = committed.get('project', projectId)?.checks ?? [];
    const isOn = committed.get('run', projectId)?.is_over === false;
    const isWanted = checks.length > 0 && this.#runsAnything(projectId);
    if (!isWanted) {
      if (isOn) await this.#end(projectId, cause);
      return this.#stop(projectId);
    }
    const caller = { ...SYSTEM_CALLER, cause };
    if (!isOn) await appendOne(this.#context, caller, projectId, 'run.begun', { project_id: projectId });
    const record = committed.get('run', projectId);
    if (record === undefined || !this.#isOn) return;
    const run = this.#runs.get(projectId) ?? new Run(this.#context, this.#questions, record, isOn);
    this.#runs.set(projectId, run);
    run.sync(checks);
  }

  /** What always runs does so whenever its project is open. */
  #runsAnything(projectId: string): boolean {
    const { committed, kinds } = this.#context;
    return (
      committed.get('project', projectId)?.state === 'opened' &&
      committed
        .ofProject('node', projectId)
        .some(({ kind, state }) => state === 'started' && kinds.get(kind)?.capabilities.always_on !== true)
    );
  }

  /** It is being stopped: nothing that is seen from here on says anything about the lab. */
  #over(projectId: string, cause: number): void {
    this.#stop(projectId);
    if (this.#context.committed.get('run', projectId)?.is_over !== false) return;
    void this.#queues
      .run(projectId, () => this.#end(projectId, cause))
      .catch(reporting(this.#context.logger, { project_id: projectId }, 'the end of a run is not on record'));
  }

  async #end(projectId: string, cause: number | null): Promise<void> {
    // It may have begun since it was asked to end.
    this.#stop(projectId);
    if (this.#context.committed.get('run', projectId)?.is_over !== false) return;
    await appendOne(this.#context, { ...SYSTEM_CALLER, cause }, projectId, 'run.ended', { project_id: projectId });
  }

  #stop(projectId: string): void {
    this.#runs.get(projectId)?.stop();
    this.#runs.delete(projectId);
  }

  /** Without a word: the next server goes on with what runs. */
  stop(): void {
    this.#isOn = false;
    for (const id of [...this.#runs.keys()]) this.#stop(id);
    this.#questions.stop();
  }
}
