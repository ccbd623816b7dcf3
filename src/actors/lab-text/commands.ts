import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { Mailboxes } from '../../common/mailbox.ts';
import { messageOf, TopologError } from '../../common/errors.ts';
import { LAB_FORMATS } from '../../files/lab/formats.ts';
import type { LabReading } from '../../files/lab/model.ts';
import type { ProjectRecord } from '../../projections/records.ts';
import { performBatch } from '../batch/batch.ts';
import type { Caller } from '../caller.ts';
import { appendOne, openProjectOf, projectOf } from '../context.ts';
import type { Directory } from '../directory.ts';
import type { NodeCommands } from '../node/interface.ts';
import type { ProjectCommands } from '../project/interface.ts';
import type { LabApplied, LabPlan, LabTextCommands, LabTextInput } from './interface.ts';
import type { Work } from './changes.ts';
import { workFor } from './plan.ts';
import { lookAtLab } from './look.ts';

type Others = Pick<ProjectCommands, 'createProject' | 'openProject' | 'updateProject' | 'actOnProject' | 'writeFile'> &
  Pick<NodeCommands, 'actOnNode' | 'updateNode'>;

/** A text and a lab: what would make the lab what the text says, and doing it. */
export const labTextCommands = (directory: Directory, others: Others): LabTextCommands => {
  const { context } = directory;
  // One at a time in a lab: a second one sees what the first has made.
  const queues = new Mailboxes();
  return {
    async planLab(input) {
      const reading = LAB_FORMATS[input.format].read(input, lookAtLab(context));
      const project = projectFor(directory, reading, input);
      return planOf(reading, project, await workFor(context, reading, project));
    },
    async applyLab(caller, { start = false, ...input }) {
      const reading = LAB_FORMATS[input.format].read(input, lookAtLab(context));
      const key = projectFor(directory, reading, input)?.project_id ?? reading.lab.name;
      return queues.run(key, () => new Applying({ directory, others, caller, input, reading }).run(start));
    },
  };
};

/** null: there is none. */
const projectFor = (
  { context: { pending } }: Directory,
  { lab }: LabReading,
  { project_id }: LabTextInput,
): ProjectRecord | null =>
  project_id === undefined
    ? (pending.projects().find(({ name }) => name === lab.name) ?? null)
    : projectOf(pending, project_id);

const planOf = ({ lab, notes }: LabReading, project: ProjectRecord | null, { changes }: Work): LabPlan => {
  const other = project !== null && project.name !== lab.name ? [`the project keeps its name, ${project.name}`] : [];
  return {
    project_id: project?.project_id ?? null,
    name: project?.name ?? lab.name,
    changes: changes.map(({ path: _path, id: _id, ...change }) => change),
    notes: [...notes, ...other],
  };
};

interface Asked {
  directory: Directory;
  others: Others;
  caller: Caller;
  input: LabTextInput;
  reading: LabReading;
}

class Applying {
  readonly #asked: Asked;
  readonly #failed: LabApplied['failed'] = [];
  #started: string[] = [];

  constructor(asked: Asked) {
    this.#asked = asked;
  }

  async run(start: boolean): Promise<LabApplied> {
    const { directory, others, caller, input, reading } = this.#asked;
    const { context } = directory;
    const before = projectFor(directory, reading, input);
    const work = await workFor(context, reading, before);
    const plan = planOf(reading, before, work);
    const isNothing = work.changes.length === 0;
    if (isNothing && before !== null && !(start && this.#rests(before)))
      return { ...plan, project_id: before.project_id, position: null, failed: [], started: [] };
    const { name } = reading.lab;
    const project = before ?? (await others.createProject(caller, { ...work.settings, name }));
    const { project_id } = project;
    if (project.state !== 'opened') await others.openProject(caller, project_id);
    const { position } = await appendOne(
      context,
      caller,
      project_id,
      'project.apply_requested',
      this.#told(project_id, work),
    );
    const because = { by: caller.by, request_id: caller.request_id, cause: position };
    if (before !== null && Object.keys(work.settings).length > 0)
      await others.updateProject(because, project_id, work.settings);
    await this.#perform(because, project_id, work);
    // Apart from one another: there is no one request for both, and a replay makes requests.
    const { weather, ...lessons } = work.lessons;
    for (const changes of [lessons, weather === undefined ? {} : { weather }])
      if (Object.keys(changes).length > 0) await others.updateProject(because, project_id, changes);
    if (start) await this.#startAll(because, project_id);
    const failed = this.#failed;
    await appendOne(context, because, project_id, 'project.apply_finished', { project_id, failed });
    return { ...plan, project_id, position, failed, started: this.#started };
  }

  #told(project_id: string, { changes }: Work) {
    const { text, format } = this.#asked.input;
    const count = (is: (change: Work['changes'][number]) => boolean): number => changes.filter(is).length;
    return {
      project_id,
      format,
      sha256: createHash('sha256').update(text).digest('hex'),
      added: count(({ action }) => action === 'add'),
      changed: count(({ action }) => action === 'change'),
      removed: count(({ action }) => action === 'remove'),
      restarted: count(({ restart }) => restart),
    };
  }

  /** What stood still for it runs again, also when it could not be done. */
  async #perform(caller: Caller, projectId: string, { stops, steps, moves, files }: Work): Promise<void> {
    const { directory, others } = this.#asked;
    const again = stops.filter((one) => one.again);
    try {
      await Promise.all(stops.map(({ node_id }) => this.#act(caller, projectId, node_id, 'stop')));
      if (steps.length > 0) await performBatch({ directory, caller, projectId, steps });
      for (const { node_id, to } of moves)
        await others.updateNode(caller, { project_id: projectId, node_id }, { compute_id: to }, 'conflict');
      for (const { node_id, name, text } of files) {
        const content = { content: Readable.from([Buffer.from(text)]), limit: Infinity };
        await others.writeFile(caller, { project_id: projectId, node_id, name }, content);
      }
    } finally {
      await Promise.all(again.map(({ node_id }) => this.#start(caller, projectId, node_id)));
    }
  }

  async #act(caller: Caller, project_id: string, node_id: string, action: 'start' | 'stop'): Promise<void> {
    await this.#asked.others.actOnNode(caller, { project_id, node_id }, action);
  }

  async #start(caller: Caller, projectId: string, nodeId: string): Promise<void> {
    const name = this.#asked.directory.context.pending.get('node', nodeId)?.name;
    // One that could not be stopped may be gone.
    if (name === undefined) return;
    await this.#act(caller, projectId, nodeId, 'start').catch((error: unknown) => {
      this.#failed.push({ name, message: messageOf(error) });
    });
  }

  #rests({ project_id }: ProjectRecord): boolean {
    return this.#resting(project_id).length > 0;
  }

  #resting(projectId: string): string[] {
    const nodes = this.#asked.directory.context.pending.ofProject('node', projectId);
    return nodes.flatMap(({ name, state }) => (state === 'started' ? [] : [name]));
  }

  async #startAll(caller: Caller, projectId: string): Promise<void> {
    const { directory, others } = this.#asked;
    openProjectOf(directory.context.pending, projectId);
    const waiting = this.#resting(projectId);
    if (waiting.length === 0) return;
    await others.actOnProject(caller, projectId, 'start').catch((error: unknown) => {
      if (!(error instanceof TopologError) || error.code !== 'nodes_failed') throw error;
      const failed = error.details['failed'] as { name: string; message: string }[];
      const known = new Set(this.#failed.map(({ name }) => name));
      this.#failed.push(
        ...failed.filter(({ name }) => !known.has(name)).map(({ name, message }) => ({ name, message })),
      );
    });
    const resting = this.#resting(projectId);
    this.#started = waiting.filter((name) => !resting.includes(name));
  }
}
