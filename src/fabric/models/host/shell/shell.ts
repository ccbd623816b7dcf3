import { join } from 'node:path';
import { messageOf } from '../../../../common/errors.ts';
import { inSlice } from '../../../../common/slices.ts';
import type { ConsoleSink } from '../../../console/console.ts';
import type { Prober } from '../ip-host.ts';
import { type CommandContext, completeCommand, runLine, type ShellKind, type ShellSettings } from './command.ts';
import { readScript, runScript } from './files.ts';
import { KeyDecoder } from './keys.ts';
import { edit, type EditorOptions, type EditorState, EMPTY_EDITOR, redraw } from './line-editor.ts';

export interface ShellOptions<H extends Prober> {
  kind: ShellKind<H>;
  /** The node's name: the prompt, until `set pcname`. */
  name: string;
  host: H;
  /** Milliseconds, monotonic. */
  now(): number;
  timer(ms: number, run: () => void): { cancel(): void };
  /** Directory of the node's files, such as its startup file; null: there is none. */
  directory: string | null;
  /** `quit` was typed: the node is to be stopped. `output` says why. */
  exit(output: string): void;
  /** Version of Topolog. */
  version: string;
}

const INTERRUPT = 0x03;
/** Longest time that a node counts as starting, as a start-up text may never end, such as an endless ping. Milliseconds. */
const STARTING_MS = 60_000;

class ShellSink implements ConsoleSink {
  readonly #output: Output;
  readonly input: (bytes: Uint8Array) => void;

  constructor(output: Output, input: (bytes: Uint8Array) => void) {
    this.#output = output;
    this.input = input;
  }

  get output(): ConsoleSink['output'] {
    return this.#output.target;
  }

  set output(target: ConsoleSink['output']) {
    this.#output.target = target;
  }
}

/** The command shell of an embedded node. */
export class Shell<H extends Prober> {
  /** One session for all clients of the console. */
  readonly sink: ConsoleSink;
  readonly #options: ShellOptions<H>;
  readonly #settings: ShellSettings;
  readonly #output = new Output();
  readonly #typed = new TypeAhead();
  readonly #keys = new KeyDecoder();
  readonly #editorOptions: EditorOptions;
  #editor: EditorState = EMPTY_EDITOR;
  /** The running command; null at the prompt. */
  #running: AbortController | null = null;
  /** Set while a command waits for any key. */
  #wake: (() => void) | null = null;
  #stopped = false;
  /** Time until which it counts as starting; 0 after the end of its start-up text. */
  #startsUntil: number;

  constructor(options: ShellOptions<H>) {
    this.#options = options;
    this.#settings = { name: printable(options.name), echo: false, dynamic: false, dynamic6: false };
    this.#startsUntil = options.now() + STARTING_MS;
    this.#editorOptions = { prompt: '', complete: (typed) => completeCommand(options.kind.commands, typed) };
    this.sink = new ShellSink(this.#output, (bytes) => this.#input(bytes));
  }

  /** True while the start-up text still runs. */
  get isStarting(): boolean {
    return this.#options.now() < this.#startsUntil;
  }

  rename(name: string): void {
    this.#settings.name = printable(name);
  }

  /** Prints a message of the node; the line being typed continues below. */
  tell(text: string): void {
    if (this.#stopped) return;
    this.#output.freshLine();
    this.#output.print(`${printable(text)}\n`);
    if (this.#running === null) this.#showPrompt();
  }

  /** Ends the running command; takes no more input and prints nothing more. */
  stop(): void {
    this.#stopped = true;
    this.#typed.clear();
    this.#running?.abort();
  }

  /** Greets, runs the startup file if there is one, then shows the prompt. What is typed meanwhile waits. Never rejects. */
  async runStartup(): Promise<void> {
    await this.#run(async (context) => {
      context.print(`\n${context.kind.title(context.version)}\nPress '?' to get help.\n`);
      const script = context.directory === null ? null : readScript(join(context.directory, context.kind.startupFile));
      if (script === null) return;
      context.print('\nExecuting the startup file\n');
      await runScript(context, script);
    });
    this.#startsUntil = 0;
  }

  #input(bytes: Uint8Array): void {
    if (this.#stopped) return;
    if (this.#running === null && this.#typed.empty) {
      this.#typeKeys(bytes);
      return;
    }
    const interrupt = bytes.lastIndexOf(INTERRUPT);
    if (interrupt >= 0) {
      // As in a terminal, input typed before Ctrl-C is dropped with the command.
      this.#typed.clear();
      if (this.#running === null) {
        // Between two commands that were typed ahead.
        this.#typeKeys(bytes.subarray(interrupt));
        return;
      }
      this.#typed.add(bytes.subarray(interrupt + 1));
      this.#output.print('^C\n');
      this.#running.abort();
    } else if (this.#wake !== null) {
      // The key that a command waited for is not part of the next line.
      this.#typed.add(bytes.subarray(1));
      this.#wake();
    } else this.#typed.add(bytes);
  }

  /** Edits the line key by key until one is finished; the rest waits for the end of its command. */
  #typeKeys(bytes: Uint8Array): void {
    for (const [index, byte] of bytes.entries()) {
      const key = this.#keys.push(byte);
      if (key === null) continue;
      const { state, output, event } = edit(this.#editor, key, { ...this.#editorOptions, prompt: this.#prompt() });
      this.#editor = state;
      this.#output.raw(output);
      if (event === 'interrupt') this.#showPrompt();
      else if (event !== undefined && event.line.trim() === '') this.#showPrompt();
      else if (event !== undefined) {
        this.#typed.addFirst(bytes.subarray(index + 1));
        const { line } = event;
        void this.#run((context) => runLine(context, line));
        return;
      }
    }
  }

  /** Runs a command to its end or until Ctrl-C, then shows the prompt and goes on with what was typed meanwhile. */
  async #run(command: (context: CommandContext<H>) => Promise<void>): Promise<void> {
    const controller = new AbortController();
    this.#running = controller;
    const { signal } = controller;
    try {
      // A command that is slow to notice its end must not keep the prompt away.
      await Promise.race([command(this.#context(signal, 0)), aborted(signal)]);
    } catch (error) {
      if (!signal.aborted) this.#output.print(`failed: ${messageOf(error)}\n`);
    }
    // Ends timers and listeners that the command has left, and discards late output.
    controller.abort();
    this.#running = null;
    this.#wake = null;
    if (this.#stopped) return;
    this.#output.freshLine();
    this.#output.print('\n');
    this.#showPrompt();
    this.#takeTypedAhead();
  }

  /** Takes one chunk a turn, so that pasted commands do not delay other consoles. */
  #takeTypedAhead(): void {
    if (this.#typed.empty) return;
    inSlice(() => {
      if (this.#stopped || this.#running !== null) return;
      const bytes = this.#typed.take();
      if (bytes !== null) this.#typeKeys(bytes);
      // A started command has put the rest back, and continues here when it ends.
      if (this.#running === null) this.#takeTypedAhead();
    });
  }

  #prompt(): string {
    return `${this.#settings.name}> `;
  }

  #showPrompt(): void {
    this.#output.raw(redraw(this.#editor, this.#prompt()));
  }

  #context(signal: AbortSignal, depth: number): CommandContext<H> {
    const { kind, host, directory, version } = this.#options;
    const context: CommandContext<H> = {
      kind,
      host,
      settings: this.#settings,
      signal,
      directory,
      version,
      depth,
      now: () => this.#options.now(),
      print: (text) => {
        if (!signal.aborted) this.#output.print(text);
      },
      pause: (ms) => this.#pause(ms, signal),
      anyKey: () => this.#anyKey(signal),
      history: () => this.#editor.history,
      clearHistory: () => {
        this.#editor = { ...this.#editor, history: [], shown: 0 };
      },
      execute: (line) => this.#execute(line, signal, depth + 1),
      exit: (output) => {
        this.stop();
        this.#options.exit(output);
      },
    };
    return context;
  }

  /** A line of a script. */
  async #execute(line: string, signal: AbortSignal, depth: number): Promise<void> {
    const context = this.#context(signal, depth);
    if (this.#settings.echo) context.print(`\n${this.#prompt()}${printable(line)}\n`);
    await runLine(context, line);
  }

  #pause(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) {
        resolve();
        return;
      }
      const interrupted = (): void => {
        timer.cancel();
        resolve();
      };
      const timer = this.#options.timer(ms, () => {
        signal.removeEventListener('abort', interrupted);
        resolve();
      });
      signal.addEventListener('abort', interrupted, { once: true });
    });
  }

  #anyKey(signal: AbortSignal): Promise<void> {
    const key = new Promise<void>((resolve) => {
      this.#wake = () => {
        this.#wake = null;
        resolve();
      };
    });
    return Promise.race([key, aborted(signal)]);
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** Names come from users and files: no control character of theirs may reach the terminals. */
const printable = (text: string): string => text.replace(/\p{Cc}/gu, '');

/** Characters kept for the broker when the node prints before its console is open; a few screens. */
const EARLY_LIMIT = 8 * 1024;

/** Output of the shell: encodes text and knows whether the cursor is at the start of a line. */
class Output {
  #target: ((bytes: Uint8Array) => void) | null = null;
  #early = '';
  #atLineStart = true;

  get target(): (bytes: Uint8Array) => void {
    return this.#target ?? (() => undefined);
  }

  set target(target: (bytes: Uint8Array) => void) {
    this.#target = target;
    const early = this.#early;
    this.#early = '';
    if (early !== '') target(Buffer.from(early));
  }

  /** Text with `\n` line ends. */
  print(text: string): void {
    this.raw(text.replaceAll('\n', '\r\n'));
  }

  /** Ends the line unless it is empty. */
  freshLine(): void {
    if (!this.#atLineStart) this.raw('\r\n');
  }

  /** Text with terminal line ends. */
  raw(text: string): void {
    if (text === '') return;
    this.#atLineStart = text.endsWith('\n');
    if (this.#target === null) this.#early = (this.#early + text).slice(-EARLY_LIMIT);
    else this.#target(Buffer.from(text));
  }
}

/** Octets of input kept while a command runs: enough for a long paste. */
const LIMIT = 64 * 1024;

/** Input typed while a command runs, in order; drops what does not fit. */
class TypeAhead {
  #chunks: Uint8Array[] = [];
  #length = 0;

  get empty(): boolean {
    return this.#length === 0;
  }

  add(bytes: Uint8Array): void {
    this.#insert(bytes, this.#chunks.length);
  }

  /** Puts back what was taken and not used. */
  addFirst(bytes: Uint8Array): void {
    this.#insert(bytes, 0);
  }

  take(): Uint8Array | null {
    const first = this.#chunks.shift() ?? null;
    this.#length -= first?.length ?? 0;
    return first;
  }

  clear(): void {
    this.#chunks = [];
    this.#length = 0;
  }

  #insert(bytes: Uint8Array, at: number): void {
    const room = Math.min(bytes.length, LIMIT - this.#length);
    if (room <= 0) return;
    // A copy, as the reader may reuse its buffer.
    this.#chunks.splice(at, 0, bytes.slice(0, room));
    this.#length += room;
  }
}
