import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { compareReplay, type Difference, lastingVerdicts, type Sides, verdictNotes } from './compare.ts';
import { eventsOf, type ReplayHost } from './host.ts';
import { labOf, makeLab, nodeDirectories, prepareLab, writeFiles } from './make-lab.ts';
import { namesOf } from './names.ts';
import { perform, type Performance, type Progress } from './perform.ts';
import { createIds, createUdpPorts, type Ids, localPorts, type UdpPorts } from './mapping.ts';
import { type Plan, planReplay, type Range } from './steps.ts';
import { createTyping, typedIn } from './typing.ts';
import type { SessionContent } from './read-session.ts';

export interface ReplayOptions extends Range {
  /** Factor of the recorded speed; null: without the recorded gaps. */
  speed: number | null;
  /** `auto`: every node by the engine that a start chooses. `simulated`: none really runs. */
  engine: 'auto' | 'simulated';
  /** Whether the replay's project stays. */
  keep: boolean;
  /** Whether to type the input of recorded consoles again. */
  consoles: boolean;
  /** Longest wait of a step for events that happened by themselves before it in the recording; default 5000. Milliseconds. */
  patienceMs?: number;
  /** Called once the lab is as it was before the first step. */
  look?(projectId: string): Promise<void>;
}

export interface ReplayReport {
  state: 'done' | 'cancelled';
  /** The replay's own project. */
  project_id: string;
  name: string;
  kept: boolean;
  steps: number;
  performed: number;
  differences: Difference[];
  /** Parts that were left out, or could not be prepared, as sentences. */
  notes: string[];
}

/** A replay that is ready to run; the session itself is valid. */
export interface Replay {
  project_id: string;
  name: string;
  steps: number;
  /** Rejects when the lab cannot be made or the server goes away. Aborted, it ends after the current step. */
  run(signal: AbortSignal, progress: (progress: Progress) => void): Promise<ReplayReport>;
}

/** Throws `invalid_request` for a session without anything to replay. */
export const createReplay = (host: ReplayHost, session: SessionContent, options: ReplayOptions): Replay => {
  const plan = planReplay(session, options);
  const ids = createIds(plan.ids);
  const project_id = ids.of(plan.project_id);
  const suffix = ` (replay ${project_id.slice(0, 8)})`;
  const name = `${plan.base.project.name}${suffix}`;
  return {
    project_id,
    name,
    steps: plan.steps.length,
    run: (signal, progress) => run({ host, session, options, plan, ids, project_id, suffix, name, signal, progress }),
  };
};

interface Run {
  host: ReplayHost;
  session: SessionContent;
  options: ReplayOptions;
  plan: Plan;
  ids: Ids;
  project_id: string;
  suffix: string;
  name: string;
  signal: AbortSignal;
  progress: (progress: Progress) => void;
}

const run = async (r: Run): Promise<ReplayReport> => {
  const directory = path.join(r.host.filesDir, 'projects', r.project_id);
  const requestId = `replay-${randomUUID()}`;
  try {
    return await make(r, directory, requestId);
  } finally {
    if (!r.options.keep) {
      // A server that goes away keeps the project, which can be deleted like any other.
      await r.host.send('DELETE', `/v2/projects/${r.project_id}`, null, requestId).catch(() => undefined);
      await rm(directory, { recursive: true, force: true }).catch(() => undefined);
    }
  }
};

const make = async (r: Run, directory: string, id: string): Promise<ReplayReport> => {
  const { host, session, options, plan, ids, project_id, signal } = r;
  r.progress({ step: 0, of: plan.steps.length, current: 'the lab as it was', at: null, left_ms: null });
  const engine = options.engine === 'auto' ? null : options.engine;
  const lab = labOf(plan, { ids, name: r.name, directory, engine });
  await writeFiles(session.files, directoriesIn(r), { ids, directory });
  await makeLab(host, lab, id);
  const ports = createUdpPorts(host, project_id, localPorts(session.events, plan.base.nodes), id);
  const problems = await prepareLab((method, path, body) => host.send(method, path, body, id), plan, ids, ports);
  await options.look?.(project_id);
  const events = eventsOf(host, project_id, id);
  const begin = (await events.since(0)).at(-1)?.position ?? 0;
  const begun = plan.steps[0]?.at ?? '';
  const typing = options.consoles
    ? createTyping(host, { projectId: project_id, ids }, typedIn(session.recordings), begun)
    : null;
  const names = namesOf(plan);
  const sides = sidesOf(r, directory, ports);
  const requestId = (n: number): string => `${id}-${n}`;
  const { speed, patienceMs = 5_000 } = options;
  const lasting = speed !== null && speed <= 1 ? null : lastingVerdicts(plan, patienceMs);
  const performance: Performance = {
    host,
    plan,
    ids,
    ports,
    names,
    sides,
    events,
    begin,
    engine,
    requestId,
    typing,
    signal,
    speed,
    patienceMs,
    lasting,
    suffix: r.suffix,
    progress: r.progress,
  };
  const answers = await perform(performance).finally(() => typing?.close());
  const made = await events.since(begin);
  const differences = compareReplay(plan, { answers, events: made, requestId, lasting }, sides, names);
  const cancelled = signal.aborted;
  const verdicts = lasting === null || cancelled || !sides.now.engines ? [] : verdictNotes(plan, lasting, made);
  return {
    state: cancelled ? 'cancelled' : 'done',
    project_id,
    name: r.name,
    kept: options.keep,
    steps: plan.steps.length,
    performed: answers.size,
    // After a cancellation, missing events without a step say nothing.
    differences: cancelled ? differences.filter((d) => d.step !== null) : differences,
    notes: [...plan.notes.map((note) => note.text), ...problems, ...(typing?.problems ?? []), ...verdicts].map(names),
  };
};

/** Directories of all nodes; later ones have their files from the beginning. */
const directoriesIn = ({ session, plan }: Run): Map<string, string> => {
  const { project } = plan.base;
  const made = session.events.flatMap((event) => (event.type === 'node.created' ? [event.data] : []));
  return nodeDirectories(project, [...made, ...plan.base.nodes]);
};

const sidesOf = ({ plan, ids, suffix, options }: Run, directory: string, ports: UdpPorts): Sides => {
  const engines = options.engine === 'auto';
  const recordedPath = plan.base.project.path;
  return {
    recorded: {
      text: (text) => (recordedPath === '' ? text : text.replaceAll(recordedPath, '<project>')),
      udpPort: (port) => port,
      engines,
    },
    now: {
      text: (text) => ids.back(text.replaceAll(directory, '<project>').replaceAll(suffix, '')),
      udpPort: (port) => ports.back(port),
      engines,
    },
  };
};
