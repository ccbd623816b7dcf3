import type { Frame } from './records.ts';
import { addTask, type TaskHandle } from './tasks.ts';
import type { Client } from 'topolog/client';
import { type Message, t } from '../words/words.ts';

/** How far the server is with an import, an export or a copy. */
export type Progress = Extract<Frame, { action: 'project.progress' }>['event'];
export type Job = Pick<Progress, 'project_id' | 'what'>;
interface OwnJob extends Job {
  /** Shows how far it is, where that is not all there is to say. */
  readonly show?: (progress: Progress) => void;
}

const DOING = {
  import: 'The server unpacks it: {done} of {of}',
  export: 'The server packs it: {done} of {of}',
  duplicate: 'The server copies its files: {done} of {of}',
  upload: 'The server sends them to a compute: {done} of {of}',
} as const satisfies Readonly<Record<Progress['what'], Message>>;
const TITLES = {
  import: 'Importing {name}',
  export: 'Exporting {name}',
  duplicate: 'Copying {name}',
  upload: 'Sending images for {name}',
} as const satisfies Readonly<Record<Progress['what'], Message>>;

const keyOf = ({ what, project_id }: Job): string => `${what} ${project_id}`;
/** How often this page has asked for a job that goes on: those have a row already. */
const own = new Map<string, number>();

export const sayBytes = (bytes: number): string =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;

/** Shows in a task what the server says of its job. */
const showProgress = (task: TaskHandle, { what, done, of, left }: Progress): void =>
  task.report(
    t(DOING[what], { done: sayBytes(done), of: sayBytes(of) }),
    of === 0 ? null : Math.min(1, done / of),
    left === null ? null : left * 1000,
  );

/** Runs what makes the server work long, and meanwhile shows in the task how far that is. Ends as `run` does. */
export const withJob = async <T>(client: Client, job: OwnJob, task: TaskHandle, run: () => Promise<T>): Promise<T> => {
  const { show = (progress: Progress) => showProgress(task, progress) } = job;
  const ending = new AbortController();
  const key = keyOf(job);
  own.set(key, (own.get(key) ?? 0) + 1);
  const follow = async (): Promise<void> => {
    for await (const { action, event } of client.feed('/v2/notifications', {
      over: 'websocket',
      live: true,
      signal: ending.signal,
    }))
      if (action === 'project.progress' && keyOf(event) === key && !event.ended) show(event);
  };
  // Without the feed the job is only not measured; the answer of the request says what became of it.
  follow().catch(() => undefined);
  try {
    return await run();
  } finally {
    ending.abort();
    const others = (own.get(key) ?? 1) - 1;
    if (others === 0) own.delete(key);
    else own.set(key, others);
  }
};

/** Shows what the server does that somebody else, or another page, has asked for. */
interface OthersWork {
  /** `name`: of the project, where it is known. */
  readonly take: (progress: Progress, name: string | undefined) => void;
  /** The connection is gone. */
  readonly clear: () => void;
}

export const createOthersJobs = (): OthersWork => {
  const shown = new Map<string, TaskHandle>();
  return {
    take(progress, name) {
      const key = keyOf(progress);
      if (progress.ended || own.has(key)) {
        shown.get(key)?.end();
        shown.delete(key);
        return;
      }
      const task = shown.get(key) ?? addTask(t(TITLES[progress.what], { name: name ?? t('a project') }), null);
      shown.set(key, task);
      showProgress(task, progress);
    },
    clear() {
      for (const task of shown.values()) task.end();
      shown.clear();
    },
  };
};
