import { createStore } from './store.ts';

/** Something that takes its time, as people see it. */
export interface Task {
  readonly id: number;
  readonly title: string;
  /** What is happening now. */
  readonly doing: string;
  /** 0 to 1; null where nobody knows. */
  readonly fraction: number | null;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly cancel: (() => void) | null;
}

export const tasks = createStore<readonly Task[]>([]);
let lastId = 0;

export interface TaskHandle {
  readonly report: (doing: string, fraction: number | null) => void;
}

/** Shows work while it goes on; resolves and rejects as the work does. */
export const withTask = async <T>(
  title: string,
  work: (task: TaskHandle) => Promise<T>,
  cancel: (() => void) | null = null,
): Promise<T> => {
  const id = ++lastId;
  tasks.update((now) => [...now, { id, title, doing: '', fraction: null, startedAt: Date.now(), cancel }]);
  const report = (doing: string, fraction: number | null): void =>
    tasks.update((now) => now.map((task) => (task.id === id ? { ...task, doing, fraction } : task)));
  try {
    return await work({ report });
  } finally {
    tasks.update((now) => now.filter((task) => task.id !== id));
  }
};

/** Milliseconds until it is done if it goes on as before; null while that cannot be said. */
export const timeLeft = ({ fraction, startedAt }: Task, now: number): number | null => {
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
