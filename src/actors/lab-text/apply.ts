import { createHash } from 'node:crypto';
import { conflict, messageOf, reporting } from '../../common/errors.ts';
import type { Steps } from '../../common/slices.ts';
import type { ApplyEnd } from '../../events/schemas.ts';
import type { LabReading } from '../../files/lab/model.ts';
import type { ProjectRecord } from '../../projections/records.ts';
import { carryOutBatch } from '../batch/batch.ts';
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
import type { LabApplied, LabTextInput } from './interface.ts';
import { checkPlanned, planOf, workFor } from './plan.ts';
import { guardOf } from './guard.ts';
import { LabFiles } from './files.ts';

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
