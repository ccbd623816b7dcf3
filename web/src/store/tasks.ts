import { createStore } from './store.ts';

/** Something that takes its time, as people see it. */
export interface Task {
  readonly id: number;
  readonly title: string;
  /** The step that is under way. */
  readonly doing: string;
  /** 0 to 1, of what is happening now; null where nobody knows. */
  readonly fraction: number | null;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Milliseconds since 1970 at which it will be done, where somebody who knows better has said it. */
  readonly doneAt: number | null;
  readonly cancel: (() => void) | null;
}

export const tasks = createStore<readonly Task[]>([]);
let lastId = 0;

export interface TaskHandle {
  /** `left`: milliseconds; where nothing is given, the pace so far tells it. */
  readonly report: (doing: string, fraction: number | null, left?: number | null) => void;
  readonly end: () => void;
}

/** Shows work until it is ended. */
export const addTask = (title: string, cancel: (() => void) | null): TaskHandle => {
  const id = ++lastId;
  const startedAt = Date.now();
  tasks.update((now) => [...now, { id, title, doing: '', fraction: null, startedAt, doneAt: null, cancel }]);
  return {
    report: (doing, fraction, left = null) => {
      const doneAt = left === null ? null : Date.now() + left;
      tasks.update((now) => now.map((task) => (task.id === id ? { ...task, doing, fraction, doneAt } : task)));
    },
    end: () => tasks.update((now) => now.filter((task) => task.id !== id)),
  };
};

/** Shows work while it goes on; resolves and rejects as the work does. */
export const withTask = async <T>(
  title: string,
  work: (task: TaskHandle) => Promise<T>,
  cancel: (() => void) | null = null,
): Promise<T> => {
  const task = addTask(title, cancel);
  try {
    return await work(task);
  } finally {
    task.end();
  }
};

/** Milliseconds until it is done, as was said or if it goes on as before; null while that cannot be said. */
export const timeLeft = ({ fraction, startedAt, doneAt }: Task, now: number): number | null => {
  if (doneAt !== null) return Math.max(0, doneAt - now);
  const spent = now - startedAt;
  return fraction === null || fraction <= 0.02 || spent < 500 ? null : (spent / fraction) * (1 - fraction);
};

/** A time as people say it. */
export const sayTime = (ms: number): string => {
  const seconds = Math.max(1, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
};
