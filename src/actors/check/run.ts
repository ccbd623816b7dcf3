import { isDeepStrictEqual } from 'node:util';
import type { CheckRecord } from '../../common/forms/check.ts';
import type { RunRecord } from '../../projections/records.ts';
import { appendOne, type LabContext, SYSTEM_CALLER } from '../context.ts';
import { nameOf } from '../../projections/check-names.ts';
import { CheckLoop, type LastLook } from './loop.ts';
import type { Matched, Questions } from './questions.ts';

/** The checks of one lab, from its start to its stop. */
export class Run {
  readonly #context: LabContext;
  readonly #questions: Questions;
  readonly #record: RunRecord;
  readonly #isResumed: boolean;
  readonly #loops = new Map<string, CheckLoop>();
  /** Names of the weather that the links have. */
  #storms: readonly string[];
  /** Position of the last event that may have changed what checks see. */
  #cause: number;

  constructor(context: LabContext, questions: Questions, record: RunRecord, isResumed: boolean) {
    this.#context = context;
    this.#questions = questions;
    this.#record = record;
    this.#isResumed = isResumed;
    this.#cause = record.position;
    this.#storms = this.#stormsOnRecord();
  }

  get #projectId(): string {
    return this.#record.project_id;
  }

  /** Those that are new or others are looked at from now on, those that are gone no more. */
  sync(checks: readonly CheckRecord[]): void {
    for (const [id, loop] of this.#loops)
      if (!checks.some((check) => isDeepStrictEqual(check, loop.check))) {
        loop.stop();
        this.#loops.delete(id);
      }
    for (const check of checks) {
      if (this.#loops.has(check.check_id)) continue;
      const loop = this.#loop(check);
      this.#loops.set(check.check_id, loop);
      loop.begin();
    }
  }

  #loop(check: CheckRecord): CheckLoop {
    const verdicts = this.#context.committed.get('run', this.#projectId)?.verdicts ?? {};
    return new CheckLoop({
      context: this.#context,
      questions: this.#questions,
      projectId: this.#projectId,
      check,
      // Not to come: an event is dated later than the clock that was set back.
      began: Math.min(Date.parse(this.#record.began), Date.now()),
      is_met: verdicts[check.check_id]?.is_met,
      isResumed: this.#isResumed,
      isTime: () => this.#isTime(check),
      tell: (...told) => this.#tell(check, ...told),
    });
  }

  #isTime({ during }: CheckRecord): boolean {
    return during === undefined || this.#storms.includes(during);
  }

  #stormsOnRecord(): readonly string[] {
    return this.#context.committed.get('project', this.#projectId)?.weather_run?.storms ?? [];
  }

  async #tell(check: CheckRecord, ...[verdict, finding, afterMs]: Parameters<CheckLoopTell>): Promise<void> {
    const { check_id } = check;
    // It asks something else by now, as this loop will be told.
    const now = this.#context.pending.get('project', this.#projectId)?.checks ?? [];
    if (!now.some((one) => isDeepStrictEqual(one, check))) return;
    const name = nameOf(this.#context.committed, check);
    const after_ms = Math.round(afterMs);
    const { text, evidence } = finding;
    const data = { check_id, project_id: this.#projectId, name, after_ms, text, evidence };
    const caller = { ...SYSTEM_CALLER, cause: this.#cause };
    await appendOne(this.#context, caller, this.#projectId, `check.${verdict}`, data);
  }

  /** Something happened that checks may see. */
  happened(position: number): void {
    this.#cause = position;
  }

  lastLook(checkId: string): LastLook | null {
    return this.#loops.get(checkId)?.last ?? null;
  }

  /** `isDone`: links have what is on record. Weather that ends is over at once, weather that begins is there once links have it. */
  weatherChanged(isDone: boolean): void {
    const storms = this.#stormsOnRecord();
    this.#storms = isDone ? storms : this.#storms.filter((name) => storms.includes(name));
    for (const loop of this.#loops.values()) loop.weatherChanged();
  }

  matched(event: Matched): void {
    this.#loops.get(event.watch_id)?.matched(event);
  }

  stop(): void {
    for (const loop of this.#loops.values()) loop.stop();
    this.#loops.clear();
  }
}

type CheckLoopTell = ConstructorParameters<typeof CheckLoop>[0]['tell'];
