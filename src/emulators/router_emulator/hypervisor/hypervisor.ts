import { connect, isIP, type Socket } from 'node:net';
import { messageOf } from '../../../common/errors.ts';
import { until } from '../../../common/promises.ts';
import type { Missing } from '../../kit/contract.ts';
import { programVersion, which } from '../../shared/process/find-program.ts';
import { joinWords } from '../../shared/process/shell-words.ts';

/**
 * Control connection of Dynamips in hypervisor mode (its README.hypervisor): over TCP, a line `module function arguments…` for
 * each command. It is answered by any number of lines `1xx text` and at last `100-text`, or `2xx-text` when it was refused.
 */
export interface Hypervisor {
  /** Commands wait for the ones before them. Rejects with a HypervisorError. `patience`: milliseconds for the answer. */
  send(command: Command, patience?: number): Promise<Reply>;
  readonly open: boolean;
  /** Fine when it is closed already. */
  close(): void;
}

/** Module, function and arguments. */
export type Command = readonly [module: string, name: string, ...parameters: (string | number)[]];

interface Reply {
  /** Text of the lines before the last. */
  info: string[];
  /** Text of the last. */
  text: string;
}

export class HypervisorError extends Error {
  /** `Refused`: it refused the command. `Lost`: the connection is gone. `Slow`: no answer in time, so the connection was given up. */
  readonly kind: 'Refused' | 'Lost' | 'Slow';
  /** Code of a refusal: 200 to 215. */
  readonly code: number | null;

  constructor(kind: HypervisorError['kind'], message: string, code: number | null = null) {
    super(message);
    this.name = 'HypervisorError';
    this.kind = kind;
    this.code = code;
  }
}

/** Milliseconds that a command gets which says nothing else. */
const PATIENCE_MS = 10_000;
const RETRY_MS = 20;
const HOST = '127.0.0.1';

/** Connects as soon as it listens. Rejects when the signal is aborted, or `deadline` milliseconds have passed. */
export const connectHypervisor = async (port: number, deadline: number, signal?: AbortSignal): Promise<Hypervisor> => {
  const end = performance.now() + deadline;
  const dial = (): Promise<Socket | null> => connected(port, end - performance.now());
  const socket = await until(dial, { every: RETRY_MS, within: deadline, signal });
  if (socket === null) throw new HypervisorError('Lost', `the hypervisor does not listen at ${HOST}:${port}`);
  return new Line(socket);
};

/** null: nobody listens there. */
const connected = (port: number, wait: number): Promise<Socket | null> =>
  new Promise((resolve) => {
    const socket = connect({ host: HOST, port, noDelay: true });
    const timer = setTimeout(() => socket.destroy(), Math.max(1, wait));
    const failed = (): void => {
      clearTimeout(timer);
      resolve(null);
    };
    socket.on('error', () => undefined);
    socket.once('close', failed);
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.off('close', failed);
      resolve(socket);
    });
  });

/**
 * The line of a command. Blanks, `!` and `#` (which begin a comment) are kept by double quotes; what has a double quote or a line
 * end in it cannot be said, and nothing at all is no word to its parser.
 */
export const lineOf = (command: Command): string => command.map((word) => quoted(String(word))).join(' ');

const quoted = (word: string): string => {
  if (word === '' || /["\r\n\0]/.test(word))
    throw new HypervisorError('Refused', `${JSON.stringify(word)} cannot be said to the hypervisor`);
  return /[\s!#]/.test(word) ? `"${word}"` : word;
};

interface Waiting {
  command: Command;
  line: string;
  patience: number;
  resolve: (reply: Reply) => void;
  reject: (error: HypervisorError) => void;
}

class Line implements Hypervisor {
  readonly #socket: Socket;
  /** Commands in order; the first was sent. */
  readonly #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** Octets of a line that has not come whole. */
  #rest: Buffer = Buffer.alloc(0);
  #info: string[] = [];
  #end: HypervisorError | null = null;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.once('close', () => this.#lost(new HypervisorError('Lost', 'the hypervisor closed the connection')));
  }

  get open(): boolean {
    return this.#end === null;
  }

  send(command: Command, patience = PATIENCE_MS): Promise<Reply> {
    return new Promise((resolve, reject) => {
      if (this.#end !== null) throw this.#end;
      this.#waiting.push({ command, line: lineOf(command), patience, resolve, reject });
      if (this.#waiting.length === 1) this.#ask();
    });
  }

  #ask(): void {
    const [next] = this.#waiting;
    if (next === undefined) return;
    this.#info = [];
    this.#timer = setTimeout(() => {
      const text = `${shown(next.command)}: the hypervisor has not answered in ${next.patience / 1000} s`;
      // An answer that came now would be taken for that of the next command.
      this.#lost(new HypervisorError('Slow', text));
    }, next.patience);
    this.#socket.write(`${next.line}\n`);
  }

  #read(chunk: Buffer): void {
    let left = Buffer.concat([this.#rest, chunk]);
    for (let at = left.indexOf(0x0a); at >= 0 && this.#end === null; at = left.indexOf(0x0a)) {
      this.#take(left.subarray(0, at).toString('utf8').replace(/\r$/, ''));
      left = left.subarray(at + 1);
    }
    this.#rest = left;
  }

  #take(line: string): void {
    const [, code, end, text] = /^(\d{3})([- ])(.*)$/s.exec(line) ?? [];
    if (code === undefined || end === ' ') {
      // A line without a code goes on with the one before.
      this.#info.push(text ?? line);
      return;
    }
    const asked = this.#waiting.shift();
    clearTimeout(this.#timer);
    if (asked === undefined) return;
    const info = this.#info;
    this.#ask();
    if (code.startsWith('1')) asked.resolve({ info, text: text ?? '' });
    else asked.reject(new HypervisorError('Refused', `${shown(asked.command)}: ${code} ${text ?? ''}`, Number(code)));
  }

  #lost(error: HypervisorError): void {
    this.#end ??= error;
    clearTimeout(this.#timer);
    this.#socket.destroy();
    for (const { command, reject } of this.#waiting.splice(0))
      reject(error.kind === 'Slow' ? error : new HypervisorError('Lost', `${shown(command)}: ${error.message}`));
  }

  close(): void {
    this.#lost(new HypervisorError('Lost', 'the connection to the hypervisor was closed'));
  }
}

/** Command as errors show it: without its arguments, which may be whole files. */
const shown = ([module, name, object]: Command): string =>
  [module, name, ...(object === undefined ? [] : [object])].join(' ');

/** Another program has taken a port between the check that it is free and its use. */
export const isPortRace = ({ message }: Error): boolean =>
  /nio create_udp .*: 206|unable to create TCP sockets|UDP port \d+ of \S+ is taken/.test(message);

/** Line that it prints as an error for each UDP NIO that it has made. */
const GOOD_NEWS = /^udp_connect: bind\/connect: .*(\n|$)/gm;

/** Joins the error of the protocol and the output of the program. */
export const reasonOf = (error: unknown, printed: string): string => {
  const bad = printed.replace(GOOD_NEWS, '');
  return bad === '' ? messageOf(error) : `${messageOf(error)}: ${bad}`;
};

export const MISSING: Missing = {
  needs: 'dynamips',
  install:
    'install Dynamips, with apt-get install dynamips where the distribution has it, or from its source at github.com/GNS3/dynamips',
};

export const findProgram = (): Promise<string | null> => which('dynamips');

export const hypervisorVersion = async (): Promise<string | null> => {
  const program = await findProgram();
  // Without its argument the option only prints the version; the help option would also write a log file into the working directory.
  return program === null ? null : programVersion(program, /\(version ([\w.]+)/, ['-H']);
};

/** Arguments of a hypervisor. `consoles`: where the router's console ports are opened; null: on the loopback. */
export const hypervisorArguments = (port: number, consoles: string | null): string[] => [
  // Files are named by the number of the instance.
  '-N1',
  '-H',
  `127.0.0.1:${port}`,
  ...(consoles === null ? [] : ['--console-binding-addr', consoles]),
];

/** Control port of a hypervisor that runs; null: this is none of ours. */
export const hypervisorPort = (argv: readonly string[]): number | null => {
  const [, port] = /^127\.0\.0\.1:(\d+)$/.exec(argv[argv.indexOf('-H') + 1] ?? '') ?? [];
  return port === undefined ? null : Number(port);
};

/** How a hypervisor was started, whatever interpreter or wrapper of it is in the list of processes. */
export const commandLine = (argv: readonly string[]): string =>
  joinWords(['dynamips', ...argv.slice(Math.max(0, argv.indexOf('-N1')))]);

/** Host of a console that was opened at the address in the arguments. */
export const consoleHost = (argv: readonly string[]): string => {
  const at = argv.indexOf('--console-binding-addr');
  const address = at < 0 ? undefined : argv[at + 1];
  if (address === undefined || address === '0.0.0.0' || address === '::') return '127.0.0.1';
  return isIP(address) === 0 ? 'localhost' : address;
};
