import { readdir, readFile } from 'node:fs/promises';

/** A process without a terminal, in a session of its own, whose parent is the first process of a container. */
export interface Daemon {
  pid: number;
  name: string;
}

/**
 * Daemons that are children of a process now (Linux; proc(5) `children` and `stat`). Programs that somebody runs at a terminal are none, nor
 * what the process itself waits for in its session.
 */
export const daemonsOf = async (pid: number): Promise<Daemon[]> => {
  const own = await statOf(pid);
  if (own === null) return [];
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'latin1').catch(() => ''));
  const children = (await Promise.all(lists)).flatMap((text) => text.split(' ').filter((one) => one !== ''));
  const found = await Promise.all(children.map((child) => statOf(Number(child))));
  return found.flatMap((child) =>
    child === null || child.isOver || child.terminal !== 0 || child.session === own.session
      ? []
      : [{ pid: child.pid, name: child.name }],
  );
};

interface Stat extends Daemon {
  session: number;
  /** Device number; 0: none. */
  terminal: number;
  isOver: boolean;
}

const statOf = async (pid: number): Promise<Stat | null> => {
  const text = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  const [, name = '', state = '', session = '', terminal] =
    /^\d+ \((.*)\) (\S) \d+ \d+ (\d+) (-?\d+) /s.exec(text) ?? [];
  if (terminal === undefined) return null;
  return { pid, name, session: Number(session), terminal: Number(terminal), isOver: state === 'Z' || state === 'X' };
};
