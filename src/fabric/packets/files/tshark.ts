/** Wireshark's decoder (tshark(1)), where it is installed: a process without privileges and network, with a timeout. */
import { spawn } from 'node:child_process';
import { type FileHandle, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Limiter } from '../../../common/mailbox.ts';
import { FILE_HEADER, pcapHeader, RECORD_HEADER, writeRecord } from '../../capture/pcap.ts';
import type { CapturedFrame } from '../packet.ts';
import type { ShownField } from '../fields/tree.ts';
import { FilterError } from '../filter/filter.ts';
import type { CaptureIndex } from './capture-index.ts';
import type { Selection } from './selection.ts';

/** Longest run. Milliseconds. */
const PATIENCE_MS = 120_000;
/** Most octets of memory, and of output. */
const MEMORY = 2 * 1024 ** 3;
const LONGEST_ANSWER = 32 * 1024 * 1024;
const LONGEST_COMPLAINT = 4_000;
/** `nobody`, on every system that has it. */
const NOBODY = 65_534;
/** Longest trial of a wrapper. Milliseconds. */
const TRIAL_MS = 10_000;
/** Concurrent runs; others wait. */
const MOST_AT_ONCE = 2;
/** Least time between two runs over a growing capture. Milliseconds. */
const AGAIN_MS = 3_000;

const SAFE_PATH = '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin:/opt/homebrew/bin';

/** Commands that run another one with fewer rights, as far as the system allows; the first that succeeds is used. */
const wrappers = (): string[][] => {
  const bounds = ['prlimit', `--as=${MEMORY}`, `--cpu=${PATIENCE_MS / 1000}`, '--nproc=4096', '--'];
  const nobody = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--no-new-privs', '--'];
  const isRoot = process.getuid?.() === 0;
  return isRoot
    ? [
        ['unshare', '--net', '--', ...nobody, ...bounds],
        [...nobody, ...bounds],
      ]
    : [['unshare', '--map-current-user', '--net', '--', ...bounds], bounds, []];
};

const succeeds = (command: string[]): Promise<boolean> =>
  new Promise((resolve) => {
    const [name = '', ...rest] = command;
    const child = spawn(name, rest, { stdio: 'ignore', timeout: TRIAL_MS, env: { PATH: SAFE_PATH } });
    child.on('error', () => resolve(false));
    child.on('close', (code) => resolve(code === 0));
  });

const find = async (): Promise<string[] | null> => {
  for (const wrapper of wrappers())
    if (await succeeds([...wrapper, 'tshark', '--version'])) return [...wrapper, 'tshark'];
  return null;
};

/** Runs tshark(1), where it is installed and can be run with few rights. */
export class Tshark {
  readonly #runs = new Limiter(MOST_AT_ONCE);
  #found: Promise<string[] | null> | null = null;

  /** Command line; null: it is not installed, or cannot be run with few rights. */
  #command(): Promise<string[] | null> {
    return (this.#found ??= find());
  }

  async isThere(): Promise<boolean> {
    return (await this.#command()) !== null;
  }

  /** Selects frames by a Wireshark filter; null: there is no tshark; an error: the filter is invalid. */
  async select(index: CaptureIndex, filter: string): Promise<Selection | FilterError | null> {
    if (!(await this.isThere())) return null;
    try {
      // An empty capture is enough to check the filter.
      await this.run(['-Y', filter], await unnamed(pcapHeader(index.linkType < 0 ? 1 : index.linkType)));
    } catch (error) {
      return new FilterError(wordsOf(error), 0, filter.length);
    }
    return new TsharkSelection(this, index, filter);
  }

  /** One frame as PDML, https://wiki.wireshark.org/PDML. Throws where tshark fails. */
  async pdmlOf(linkType: number, { bytes, time }: CapturedFrame): Promise<string> {
    const file = Buffer.alloc(FILE_HEADER + RECORD_HEADER + bytes.length);
    pcapHeader(linkType).copy(file);
    writeRecord(file, FILE_HEADER, Math.round(time * 1e6), bytes);
    return this.run(['-T', 'pdml'], await unnamed(file));
  }

  /** Closes the capture. */
  async run(asked: readonly string[], capture: FileHandle): Promise<string> {
    try {
      // -n: no names are looked up.
      const command = [...((await this.#command()) ?? []), '-n', '-r', '-', ...asked];
      return await this.#runs.run(() => runNow(command, capture));
    } finally {
      await capture.close();
    }
  }
}

const wordsOf = (error: unknown): string => {
  const lines = (error instanceof Error ? error.message : '').split('\n').map((line) => line.trim());
  const said = lines.find((line) => line !== '' && !/^Running as user|^\^|dumpcap/.test(line)) ?? '';
  return `tshark does not take it: ${said.replace(/^tshark: /, '')}`;
};

class TsharkSelection implements Selection {
  readonly decodedBy = 'tshark';
  numbers: number[] = [];
  scanned = 0;
  readonly #tshark: Tshark;
  readonly #index: CaptureIndex;
  readonly #filter: string;
  #growing: Promise<void> | null = null;
  #looked = -Infinity;

  constructor(tshark: Tshark, index: CaptureIndex, filter: string) {
    [this.#tshark, this.#index, this.#filter] = [tshark, index, filter];
  }

  /** Starts at most one run at a time, as each reads the whole file. */
  async grow(patience: number): Promise<void> {
    const { count } = this.#index;
    if (this.scanned >= count) return;
    if (this.#growing === null && performance.now() - this.#looked < AGAIN_MS) return;
    this.#growing ??= this.#look(count).finally(() => (this.#growing = null));
    const over = new Promise<void>((resolve) => setTimeout(resolve, patience).unref());
    await Promise.race([this.#growing, over]);
  }

  async #look(count: number): Promise<void> {
    const asked = ['-Y', this.#filter, '-T', 'fields', '-e', 'frame.number'];
    const running = this.#tshark.run(asked, await open(this.#index.path, 'r'));
    const text = await running.finally(() => (this.#looked = performance.now()));
    this.numbers = (text.match(/\d+/g) ?? []).map(Number).filter((number) => number <= count);
    this.scanned = count;
  }
}

/** Passes an open file, so that tshark needs no right to open one. */
const runNow = ([name = '', ...args]: readonly string[], capture: FileHandle): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(name, args, {
      cwd: '/',
      env: { PATH: SAFE_PATH, LC_ALL: 'C.UTF-8', HOME: '/nonexistent', XDG_CONFIG_HOME: '/nonexistent' },
      stdio: [capture.fd, 'pipe', 'pipe'],
      timeout: PATIENCE_MS,
      killSignal: 'SIGKILL',
    });
    const pieces: Buffer[] = [];
    let [length, said] = [0, ''];
    child.stdout?.on('data', (piece: Buffer) => {
      length += piece.length;
      if (length > LONGEST_ANSWER) child.kill('SIGKILL');
      else pieces.push(piece);
    });
    child.stderr?.on('data', (piece: Buffer) => {
      if (said.length < LONGEST_COMPLAINT) said += piece.toString('utf8');
    });
    child.on('error', reject);
    child.on('close', (code) => {
      // The last frame of a running capture may be incomplete.
      const isDone = code === 0 || /cut short in the middle of a packet/.test(said);
      if (isDone) resolve(Buffer.concat(pieces).toString('utf8'));
      else reject(new Error(length > LONGEST_ANSWER ? 'its answer is too long' : said));
    });
  });

/** A deleted temporary file with the bytes, which lasts as long as its handle. */
const unnamed = async (bytes: Uint8Array): Promise<FileHandle> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'topolog-tshark-'));
  try {
    const name = path.join(folder, 'frames.pcap');
    await writeFile(name, bytes);
    return await open(name, 'r');
  } finally {
    await rm(folder, { recursive: true });
  }
};

const TAG = /<(\/?)(proto|field)\b((?:\s+[\w.]+="[^"]*")*)\s*(\/?)>/g;
const ATTRIBUTE = /(?<![\w.])([\w.]+)="([^"]*)"/g;
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
/** Fields of a frame; more are left out. */
const MOST_FIELDS = 5_000;

/** Tree of fields of the first packet of a PDML document, without hidden fields. */
export const readPdml = (text: string): ShownField[] => {
  const root: ShownField[] = [];
  const open: ShownField[][] = [root];
  let count = 0;
  for (const [, closing, , attributes = '', selfClosing] of text.matchAll(TAG)) {
    if (closing === '/') {
      if (open.length > 1) open.pop();
      continue;
    }
    if (++count > MOST_FIELDS) break;
    const given = Object.fromEntries(
      [...attributes.matchAll(ATTRIBUTE)].map(([, name = '', value = '']) => [name, plain(value)]),
    );
    const field = fieldOf(given);
    if (given['hide'] !== 'yes' && given['name'] !== 'geninfo') open.at(-1)?.push(field);
    if (selfClosing !== '/') open.push(field.fields);
  }
  return root;
};

const fieldOf = (given: Readonly<Record<string, string>>): ShownField => {
  const said = given['showname'] ?? given['show'] ?? given['name'] ?? '';
  const colon = said.indexOf(': ');
  const isLeaf = colon > 0;
  return {
    name: given['name'] ?? '',
    label: isLeaf ? said.slice(0, colon) : said,
    text: isLeaf ? said.slice(colon + 2) : '',
    at: Number(given['pos'] ?? 0),
    length: Number(given['size'] ?? 0),
    fields: [],
  };
};

const plain = (text: string): string =>
  text.replaceAll(
    /&(?:(lt|gt|quot|apos|amp)|#x([0-9a-f]{1,6})|#(\d{1,7}));/gi,
    (all, name?: string, hex?: string, number?: string) => {
      if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? all;
      const code = hex === undefined ? Number(number) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : all;
    },
  );
