import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { conflict, messageOf, reporting } from '../../common/errors.ts';
import type { Steps } from '../../common/slices.ts';
import { drawingFields, linkFields, nodeFields } from '../../events/fields.ts';
import type { ApplyEnd } from '../../events/schemas.ts';
import type { LabReading } from '../../files/lab/model.ts';
import type { DrawingRecord, LinkRecord, NodeRecord, ProjectRecord, RecordView } from '../../projections/records.ts';
import { carryOutBatch } from '../batch/batch.ts';
import type { BatchStep } from '../batch/interface.ts';
import type { Caller } from '../caller.ts';
import { appendOne, type LabContext, projectOf } from '../context.ts';
import type { Directory } from '../directory.ts';
import type { NodeCommands } from '../node/interface.ts';
import { projectUpdated } from '../project/commands.ts';
import type { ProjectCommands } from '../project/interface.ts';
import type { NewEvent } from '../runtime/decision.ts';
import { failureOf } from '../runtime/failures.ts';
import type { Work } from './changes.ts';
import { type Ended, ended, rests } from './end.ts';
import { LabFiles } from './files.ts';
import type { LabApplied, LabTextInput } from './interface.ts';
import { checkPlanned, planOf, workFor } from './plan.ts';

type Kept = NodeRecord | LinkRecord | DrawingRecord;

/** Fields that change by themselves when a node stops. */
const OF_A_RUN = new Set(['console', 'failure', 'properties']);

/** Fields that a person sets. */
const SAID = Object.fromEntries(
  Object.entries({ node: nodeFields, link: linkFields, drawing: drawingFields }).map(([type, { shape }]) => [
    type,
    Object.keys(shape).filter((key) => !OF_A_RUN.has(key)),
  ]),
) as Record<BatchStep['type'], string[]>;

/**
 * Looks at a lab before it is planned what is removed of it. Answered is what refuses, later, to remove what somebody has changed meanwhile,
 * or linked: nodes may take long to stop.
 */
const guardOf = (view: RecordView, project: ProjectRecord | null): ((steps: readonly BatchStep[]) => void) => {
  const id = project?.project_id ?? '';
  const seen = new Map<string, Kept>([
    ...view.ofProject('node', id).map((one) => [one.node_id, one] as const),
    ...view.ofProject('link', id).map((one) => [one.link_id, one] as const),
    ...view.ofProject('drawing', id).map((one) => [one.drawing_id, one] as const),
  ]);
  return (steps) => {
    for (const step of steps) {
      if (step.action !== 'delete') continue;
      const [before, now] = [seen.get(step.id), view.get(step.type, step.id)];
      const isLinked = step.type === 'node' && view.linksOf(step.id).some(({ link_id }) => !seen.has(link_id));
      if (now === undefined || before === undefined || (!isLinked && isSame(step.type, before, now))) continue;
      const what = 'name' in now ? now.name : `a ${step.type}`;
      throw conflict(`${what} would be removed, and somebody has just changed it: look at the plan again`);
    }
  };
};

const isSame = (type: BatchStep['type'], before: Kept, now: Kept): boolean =>
  before === now || SAID[type].every((key) => isDeepStrictEqual(before[key as keyof Kept], now[key as keyof Kept]));

export type Others = Pick<ProjectCommands, 'createProject' | 'openProject' | 'actOnProject' | 'deleteProject'> &
  Pick<NodeCommands, 'actOnNode' | 'updateNode'>;

interface Asked {
  directory: Directory;
  others: Others;
  caller: Caller;
  input: LabTextInput;
  reading: LabReading;
  projectId: string;
  /** The project is made by it. */
  isMade: boolean;
}

/** Makes a lab what its text says. */
export class Applying {
  readonly #asked: Asked;

  constructor(asked: Asked) {
    this.#asked = asked;
  }

  get #context(): LabContext {
    return this.#asked.directory.context;
  }

  async run(start: boolean): Promise<LabApplied> {
    const { caller, reading, projectId: project_id } = this.#asked;
    const before = await this.#whole();
    const guard = guardOf(this.#context.pending, before);
    const work = await workFor(this.#context, reading, before);
    const plan = planOf(reading, before, work);
    checkPlanned(caller, plan);
    const isNothing = work.changes.length === 0;
    if (isNothing && before !== null && !(start && rests(this.#context, project_id)))
      return { ...plan, project_id, position: null, failed: [], started: [] };
    try {
      await this.#request(before, work, this.#end(work, start));
      const { position } = this.#apply;
      const because = { by: caller.by, request_id: caller.request_id, cause: position };
      await this.#stop(because, work);
      const { failed, changes } = await this.#batch(because, work, guard);
      await projectUpdated(this.#asked.directory, because, project_id, changes).catch((error: unknown) => {
        failed.push({ name: plan.name, message: messageOf(error) });
      });
      const { failed: more, started } = await this.#ended();
      return { ...plan, project_id, position, failed: [...failed, ...more], started };
    } catch (error) {
      // It says itself what came of it.
      await this.#ended(error).catch(reporting(this.#context.logger, { project_id }));
      throw error;
    }
  }

  /** The project, once nothing is left of a text that was applied before. */
  async #whole(): Promise<ProjectRecord | null> {
    const { isMade, projectId } = this.#asked;
    if (isMade) return null;
    if (projectOf(this.#context.pending, projectId).apply !== undefined) await this.#ended();
    return projectOf(this.#context.pending, projectId);
  }

  /** On record: a lab that is made is made for it. */
  async #request(before: ProjectRecord | null, work: Work, after: ApplyEnd): Promise<void> {
    const { others, caller, reading, projectId: project_id } = this.#asked;
    const data = { project_id, ...this.#told(work), after };
    if (before === null) {
      const input = { ...work.settings, name: reading.lab.name, project_id };
      await others.createProject(caller, input, [{ type: 'project.apply_requested', data }]);
      return;
    }
    if (before.state !== 'opened') await others.openProject(caller, project_id);
    await appendOne(this.#context, caller, project_id, 'project.apply_requested', data);
  }

  #told({ changes }: Work) {
    const { text, format } = this.#asked.input;
    const count = (is: (change: Work['changes'][number]) => boolean): number => changes.filter(is).length;
    return {
      format,
      sha256: createHash('sha256').update(text).digest('hex'),
      added: count(({ action }) => action === 'add'),
      changed: count(({ action }) => action === 'change'),
      removed: count(({ action }) => action === 'remove'),
      restarted: count(({ restart }) => restart),
    };
  }

  /** Lists what remains to be done after the append. */
  #end({ stops, steps, moves }: Work, start: boolean): ApplyEnd {
    const { pending, kinds } = this.#context;
    const always = steps.flatMap((step) => {
      if (step.type !== 'node' || step.action === 'update') return [];
      const [id, kind] =
        step.action === 'create'
          ? [step.input.node_id ?? '', step.input.kind]
          : [step.id, pending.get('node', step.id)?.kind ?? ''];
      return kinds.get(kind)?.capabilities.always_on === true ? [id] : [];
    });
    return {
      running: [...new Set([...stops.map(({ node_id }) => node_id), ...always])],
      moves,
      ...(start ? { start } : {}),
      ...(this.#asked.isMade ? { made: true } : {}),
    };
  }

  get #apply(): NonNullable<ProjectRecord['apply']> {
    const { apply } = projectOf(this.#context.pending, this.#asked.projectId);
    if (apply === undefined) throw conflict('the project was restored while the text was being applied');
    return apply;
  }

  /** Stops all of them, and throws the first failure afterwards. */
  async #stop(caller: Caller, { stops }: Work): Promise<void> {
    const { others, projectId: project_id } = this.#asked;
    const results = await Promise.allSettled(
      stops.map(({ node_id }) => others.actOnNode(caller, { project_id, node_id }, 'stop')),
    );
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }

  /** All that is record, in one batch, and what follows its steps. `changes`: of the project. */
  async #batch(
    caller: Caller,
    work: Work,
    guard: ReturnType<typeof guardOf>,
  ): Promise<{ failed: LabApplied['failed']; changes: Work['settings'] }> {
    const { directory, projectId, isMade } = this.#asked;
    const { steps, lessons } = work;
    // A project that was made has them since.
    const settings = isMade ? {} : work.settings;
    const { weather, ...others } = lessons;
    // Apart from one another: there is no one request for both, and a replay makes requests.
    const updates = [settings, others, weather === undefined ? {} : { weather }].map((changes): NewEvent[] =>
      Object.keys(changes).length === 0 ? [] : [{ type: 'project.updated', data: { project_id: projectId, changes } }],
    );
    const [first = [], ...last] = updates;
    const applied: NewEvent = { type: 'project.applied', data: { project_id: projectId } };
    const isStill = (): void => {
      void this.#apply;
      guard(steps);
    };
    const check = function* (): Steps<void> {
      isStill();
      yield;
    };
    const files = new LabFiles(this.#context, projectId);
    try {
      await files.stage(work);
      const beside = { before: [applied, ...first], after: [...last.flat(), ...files.events] };
      const { undone } = await carryOutBatch({ directory, caller, projectId, steps, beside, check });
      const failed = undone.map(({ name, error }) => ({ name, message: messageOf(error) }));
      return { failed: [...failed, ...(await files.place())], changes: { ...settings, ...lessons } };
    } finally {
      await files.end();
    }
  }

  #ended(error?: unknown): Promise<Ended> {
    return ended({ ...this.#asked, failure: failureOf(error), resume: true });
  }
}
