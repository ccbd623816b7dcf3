import { type Daemon, daemonsOf } from '../../processes/daemons.ts';

/** Milliseconds from one look to the next. A daemon that lives shorter may be a step of a start. */
const EVERY_MS = 2_500;
/** Looks at a container, from its start on, at which its log is read as well. */
const LOG_LOOKS = [1, 3, 8];
/** Warnings about one container. */
const MOST_WARNINGS = 10;
/** Lines of its log that a warning has. */
const LINES = 5;
/** Sign in a log that a program was refused what it needs, or has crashed. */
const REFUSED = /operation not permitted|cap_set_proc failed|segmentation fault|core dumped|cannot allocate memory/i;

interface Watched {
  pid: number;
  looks: number;
  before: readonly Daemon[];
  warned: number;
  isRefused: boolean;
}

/** Warns of daemons that end in containers that go on, with the last lines that the container has printed. */
export const watchDaemons = ({
  outputOf,
  warn,
}: {
  outputOf: (id: string) => Promise<string>;
  warn: (id: string, message: string) => void;
}) => {
  const containers = new Map<string, Watched>();
  let isLooking = false;

  const look = async (id: string, watched: Watched): Promise<void> => {
    const now = await daemonsOf(watched.pid);
    watched.looks += 1;
    // One that was started again in its place goes on.
    const ended = watched.before.filter(({ name }) => !now.some((one) => one.name === name));
    const names = [...new Set(ended.map(({ name }) => name))];
    watched.before = now;
    const isNew = LOG_LOOKS.includes(watched.looks) && !watched.isRefused;
    if ((names.length === 0 && !isNew) || watched.warned >= MOST_WARNINGS) return;
    const lines = (await outputOf(id)).split(/\r?\n/).filter((line) => line.trim() !== '');
    // It may have ended as a whole, which is told otherwise.
    if (containers.get(id) !== watched) return;
    const said = (some: readonly string[]): string => some.slice(-LINES).join('\n');
    if (names.length > 0) {
      watched.warned += 1;
      warn(id, `${names.join(', ')} has ended in it, and it runs on; it said last: ${said(lines) || 'nothing'}`);
    }
    const refused = isNew ? lines.filter((line) => REFUSED.test(line)) : [];
    if (refused.length === 0) return;
    watched.isRefused = true;
    warn(id, `a program in it may not have started: ${said([...new Set(refused)])}`);
  };

  const lookAtAll = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    for (const [id, watched] of containers) await look(id, watched).catch(() => undefined);
    isLooking = false;
  };
  const timer = setInterval(() => void lookAtAll(), EVERY_MS).unref();

  return {
    add: (id: string, pid: number) =>
      void containers.set(id, { pid, looks: 0, before: [], warned: 0, isRefused: false }),
    remove: (id: string) => void containers.delete(id),
    close: () => clearInterval(timer),
  };
};
