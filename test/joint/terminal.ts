import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A client of a node's console that knows when a command is done. Every wait ends: its error has what was seen. */
export interface Terminal {
  /** What a line has printed, once it is done. `ms`: for how long it may take. */
  run(line: string, ms?: number): Promise<string>;
  close(): void;
}

/** How the end of a command is known. */
type Ending = (line: string) => { typed: string; done: RegExp };

/** Generous: two processors may have a dozen other things to do. */
const COMMAND_MS = 30_000;
const READY_MS = 60_000;
const TRY_MS = 3_000;
const PAUSE_MS = 50;

let commands = 0;
/** A shell says at the end what it had to work out: what it echoes while it is typed is something else. */
const shellEnding: Ending = (line) => {
  commands += 1;
  const typed = `${line}${line.endsWith('&') ? '' : ';'} echo end-$((${commands} * 7))`;
  return { typed, done: new RegExp(`end-${commands * 7}\\r?\\n`) };
};

/** A prompt behind the line itself: one of before may come late. */
const promptEnding =
  (name: string): Ending =>
  (line) => ({ typed: line, done: new RegExp(`${line.replaceAll('.', '\\.')}[^]*${name}> $`) });

/** The console of a guest or a container, once its shell answers. */
export const openShell = (name: string, port: number): Promise<Terminal> => open(name, port, shellEnding, () => 'true');

/**
 * The console of a PC, which has its name in its prompt, once it answers: to a word that nobody has said before, as a console
 * shows again what it showed last. VPCS loses what is typed before its prompt.
 */
export const openPc = (name: string, port: number): Promise<Terminal> =>
  open(name, port, promptEnding(name), () => `hello-${(commands += 1)}`);

/** Tries again and again: nobody may listen yet, and what is typed before anybody reads is lost. */
const open = async (name: string, port: number, ending: Ending, greeting: () => string): Promise<Terminal> => {
  const until = performance.now() + READY_MS;
  for (;;) {
    const terminal = terminalOf(name, port, ending);
    try {
      await terminal.run(greeting(), TRY_MS);
      return terminal;
    } catch (error) {
      terminal.close();
      if (performance.now() > until) throw error;
      await sleep(PAUSE_MS);
    }
  }
};

const terminalOf = (name: string, port: number, ending: Ending): Terminal => {
  const socket = connect({ host: '127.0.0.1', port });
  let output = '';
  let ended: string | null = null;
  let look: () => void = () => undefined;
  const end = (why: string): void => {
    ended ??= why;
    look();
  };
  socket.on('error', (error) => end(error.message));
  socket.on('close', () => end('it was closed'));
  socket.on('data', (chunk: Buffer) => {
    output += chunk.toString('latin1');
    look();
  });
  return {
    run(line, ms = COMMAND_MS) {
      const { typed, done } = ending(line);
      output = '';
      socket.write(`${typed}\r`);
      return new Promise((resolve, reject) => {
        const fail = (why: string): void => {
          settle();
          reject(new Error(`console of ${name}: ${why} after "${line}"; it printed: ${JSON.stringify(output)}`));
        };
        const timer = setTimeout(() => fail(`nothing like ${String(done)} came within ${ms} ms`), ms);
        const settle = (): void => {
          clearTimeout(timer);
          look = () => undefined;
        };
        look = () => {
          if (done.test(output)) {
            settle();
            resolve(output);
          } else if (ended !== null) fail(ended);
        };
        look();
      });
    },
    close: () => destroy(socket),
  };
};

const destroy = (socket: Socket): void => {
  socket.removeAllListeners();
  socket.on('error', () => undefined);
  socket.destroy();
};
