import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { needRoom } from '../../common/file.ts';
import { type OpenFile, writeWhole } from '../capture/capture-file.ts';
import type { Timer, Timers } from '../frames/timers.ts';
import type { ConsoleTap } from './console.ts';
import { type Recordable, ShownInput } from './shown-input.ts';

export interface RecorderOptions {
  /** Absolute; missing directories are made. An existing file is never written to. */
  path: string;
  about: Omit<CastHeader, 'started_at'>;
  timers: Timers;
  /** Called when writing fails and the recorder has ended. Not called for a rejection of `begun`. */
  onFailed(error: unknown): void;
  /** Milliseconds since 1970, by the clock of events, so that both can be compared. */
  clock?: (() => number) | undefined;
  openFile?: OpenFile | undefined;
  /** Also records input that the node does not echo, such as passwords. */
  hidden?: boolean | undefined;
}

/** Marker at the place of hidden input. */
const LEFT_OUT = 'what was typed and not shown is left out';

const FLUSH_MS = 100;
/** Characters that are written without waiting for FLUSH_MS. */
const CHUNK = 64 * 1024;
/** Characters that may wait for a slow disk before the recording is given up. */
const CAPACITY = 16 * 1024 * 1024;

/** Writes the traffic of a console to an asciicast file. Records from the beginning, also while the file is being made. */
export class Recorder implements ConsoleTap {
  readonly path: string;
  /** Resolves once the file exists with its header; rejects when it cannot be made. */
  readonly begun: Promise<void>;
  readonly #options: RecorderOptions;
  readonly #clock: () => number;
  readonly #events: ReturnType<typeof createCastEvents>;
  // One decoder a direction: a chunk may end inside a character.
  readonly #output = createDecoder();
  readonly #input = createDecoder();
  /** null: everything is recorded. */
  #shown: ShownInput | null = null;
  #file: FileHandle | null = null;
  #end = 0;
  #timer: Timer | null = null;
  #writing: Promise<void> | null = null;
  #closing: Promise<void> | null = null;
  #over = false;

  constructor(options: RecorderOptions) {
    this.path = options.path;
    this.#options = options;
    this.#clock = options.clock ?? Date.now;
    this.keep(options.hidden === true);
    const started_at = this.#clock();
    this.#events = createCastEvents(started_at);
    this.begun = this.#begin(castHeader({ ...options.about, started_at }));
    // A caller that awaits it gets the rejection as well.
    this.begun.catch(() => (this.#over = true));
  }

  output(bytes: Uint8Array): void {
    const text = this.#output(bytes);
    this.#take(this.#shown?.printed(text));
    this.#add('o', text);
  }

  input(bytes: Uint8Array): void {
    const text = this.#input(bytes);
    this.#take(this.#shown === null ? { input: text, hidden: false } : this.#shown.typed(text));
  }

  /** Sets whether input that the node does not echo is recorded from now on. */
  keep(hidden: boolean): void {
    if (hidden) {
      this.#take(this.#shown?.end());
      this.#shown = null;
    } else this.#shown ??= new ShownInput();
  }

  #take(recordable: Recordable | undefined): void {
    if (recordable?.hidden === true) this.#add('m', LEFT_OUT);
    if (recordable !== undefined) this.#add('i', recordable.input);
  }

  mark(text: string): void {
    this.#add('m', text);
  }

  /** Ends the recording; resolves once all of it is in the file, or it has failed. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  #add(code: CastCode, text: string): void {
    if (this.#over || text === '') return;
    this.#events.add(code, text, this.#clock());
    if (this.#events.length > CAPACITY) this.#fail(new Error('the disk is too slow'));
    else if (this.#events.length >= CHUNK) this.#inBackground();
    else this.#timer ??= this.#options.timers.after(FLUSH_MS, () => this.#inBackground());
  }

  #inBackground(): void {
    void this.#flush().catch((error: unknown) => this.#fail(error));
  }

  async #begin(header: string): Promise<void> {
    const { path, openFile } = this.#options;
    await needRoom(path);
    await mkdir(dirname(path), { recursive: true });
    const file = await (openFile ?? open)(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o644);
    try {
      await writeWhole(file, Buffer.from(header), 0);
    } catch (error) {
      await file.close().catch(() => undefined);
      await unlink(path).catch(() => undefined);
      throw error;
    }
    this.#file = file;
    this.#end = Buffer.byteLength(header);
  }

  /** Resolves once nothing waits; one write at a time. */
  async #flush(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = null;
    await this.begun;
    while (this.#events.length > 0 || this.#writing !== null) {
      this.#writing ??= this.#write().finally(() => (this.#writing = null));
      await this.#writing;
    }
  }

  async #write(): Promise<void> {
    if (this.#file === null) throw new Error(`${this.path} is closed`);
    const chunk = Buffer.from(this.#events.take());
    await needRoom(this.path, chunk.length);
    await writeWhole(this.#file, chunk, this.#end);
    this.#end += chunk.length;
  }

  #fail(error: unknown): void {
    if (this.#over) return;
    this.#over = true;
    this.#timer?.cancel();
    this.#events.take();
    // Closes the file after a write under way.
    const closed = (this.#writing ?? Promise.resolve()).catch(() => undefined).then(() => this.#closeFile());
    this.#closing ??= closed;
    this.#options.onFailed(error);
  }

  async #close(): Promise<void> {
    this.#add('o', this.#output());
    const rest = this.#input();
    if (this.#shown === null) this.#add('i', rest);
    this.#take(this.#shown?.end());
    this.#add('x', '0');
    const whole = !this.#over;
    this.#over = true;
    try {
      await this.begun;
    } catch {
      return;
    }
    if (whole) await this.#flush().catch((error: unknown) => this.#options.onFailed(error));
    await this.#closeFile();
  }

  async #closeFile(): Promise<void> {
    this.#timer?.cancel();
    const file = this.#file;
    this.#file = null;
    await file?.close().catch(() => undefined);
  }
}

/** Decodes UTF-8: an incomplete character waits for its rest, invalid bytes become U+FFFD. Called without bytes at the end. */
export function createDecoder(): (bytes?: Uint8Array) => string {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return (bytes) => (bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true }));
}

// asciicast v3 (https://docs.asciinema.org/manual/asciicast/v3/): one JSON line with the header, then a line an event:
// `[seconds since the event before, code, text]`.

/** Output, input, a marker, the end. */
export type CastCode = 'o' | 'i' | 'm' | 'x';

interface CastHeader {
  title: string;
  node_id: string;
  project_id: string;
  /** Milliseconds since 1970. */
  started_at: number;
}

/** Consoles have no size of their own; this is the default of most terminals. */
const TERM = { cols: 80, rows: 24 };

/** The format's own `timestamp` has whole seconds only; `topolog.started_at` has the milliseconds that events have. */
export const castHeader = ({ title, node_id, project_id, started_at }: CastHeader): string =>
  `${JSON.stringify({
    version: 3,
    term: TERM,
    timestamp: Math.floor(started_at / 1000),
    title,
    topolog: { node_id, project_id, started_at: new Date(started_at).toISOString() },
  })}\n`;

interface CastEvents {
  /** `at`: milliseconds since 1970; raised to the time of the last event. */
  add(code: CastCode, text: string, at: number): void;
  /** Lines of the events added since the last call. */
  take(): string;
  /** Approximate number of characters that `take` would return. */
  readonly length: number;
}

/** Converts events to lines. Joins output with output and input with input within one millisecond. */
export function createCastEvents(startedAt: number): CastEvents {
  let written = startedAt;
  let lines: string[] = [];
  let length = 0;
  let open: { code: CastCode; texts: string[]; at: number } | null = null;

  const seal = (): void => {
    if (open === null) return;
    const { code, texts, at } = open;
    open = null;
    // Whole milliseconds from one event to the next: their sum is the clock, however many they are.
    const line = `[${((at - written) / 1000).toFixed(3)}, ${JSON.stringify(code)}, ${JSON.stringify(texts.join(''))}]\n`;
    written = at;
    lines.push(line);
    length += line.length;
  };
  return {
    add(code, text, time) {
      const at = Math.max(time, open?.at ?? written);
      length += text.length;
      if (open !== null && open.at === at && open.code === code && (code === 'o' || code === 'i')) {
        open.texts.push(text);
        return;
      }
      seal();
      open = { code, texts: [text], at };
    },
    take() {
      seal();
      const text = lines.join('');
      lines = [];
      length = 0;
      return text;
    },
    get length() {
      return length;
    },
  };
}
