import { execFile } from 'node:child_process';
import { access, readdir, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { ApiError } from '../../client/index.ts';
import { invalid, messageOf, TopologError } from '../../common/errors.ts';
import type { CheckForm } from '../../common/forms/check.ts';
import { LAB_FORMAT_NAMES, LAB_FORMATS, type LabFormatName } from '../../files/lab/formats.ts';
import { fileToGive, type GivenFile } from '../../files/lab/given-files.ts';
import { readChecks } from '../../files/lab/yaml/read.ts';
import { cannotBe } from '../command.ts';
import { printable } from '../printable.ts';

/** A lab's text with the files that it names, as it is sent. */
export interface GivenText {
  text: string;
  format: LabFormatName;
  files: Record<string, string | GivenFile>;
}

/** The format called `name`, of `names`. */
export const formatNamed = <Name extends string>(name: string, names: readonly Name[]): Name => {
  const format = names.find((one) => one === name);
  if (format === undefined) throw invalid(`--as is one of ${names.join(', ')}`);
  return format;
};

export interface ReadOptions {
  /** Format; absent: as the name of the file says. */
  as?: string | undefined;
  /** Directory below which named files are read; absent: that of the text, and the repository around it. */
  below?: string | undefined;
}

/** Reads a text and the files that it names; `-` is the standard input. */
export const readGiven = async (file: string, { as, below }: ReadOptions = {}): Promise<GivenText> => {
  if (file.endsWith('.gns3')) throw invalid(`${file} is a project file, not a text: topolog load ${file} loads it`);
  const format = as === undefined ? formatOfFile(file) : formatNamed(as, LAB_FORMAT_NAMES);
  const said = file === '-' ? await readInput() : await readFile(file, 'utf8').catch(cannotBe('read', file));
  const folder = await realpath(file === '-' ? process.cwd() : path.dirname(path.resolve(file)));
  const text = format === 'containerlab' ? await withCommit(said, folder) : said;
  const root = below === undefined ? await repositoryOf(folder) : await realpath(below).catch(cannotBe('read', below));
  // The server reports missing files with their position in the text.
  const files = new FilesBeside(folder, root);
  // Files that it includes name others.
  const named = (): string[] => LAB_FORMATS[format].filesNamed(text, files.read).filter((name) => !tried.has(name));
  const tried = new Set<string>();
  for (let names = named(); names.length > 0; names = named())
    for (const name of names) {
      tried.add(name);
      await files.add(name);
    }
  return { text, format, files: files.read };
};

/** Words for the commit that is checked out, in the name of a lab; `none` outside of a repository. */
const COMMIT = { __gitBranch__: ['--abbrev-ref'], __gitHash__: ['--short'] };

const withCommit = async (text: string, cwd: string): Promise<string> => {
  let done = text;
  for (const [word, flags] of Object.entries(COMMIT)) {
    const named = new RegExp(`^(name:.*?)${word}`, 'm');
    if (!named.test(done)) continue;
    const asked = promisify(execFile)('git', ['rev-parse', ...flags, 'HEAD'], { cwd });
    const commit = await asked.then(({ stdout }) => stdout.trim().replaceAll('/', '-')).catch(() => 'none');
    done = done.replace(named, (_, before: string) => before + commit);
  }
  return done;
};

/** Reads a text of `checks` alone. */
export const readChecksOf = async (file: string): Promise<readonly CheckForm[]> => {
  const text = await readFile(file, 'utf8').catch(cannotBe('read', file));
  return inFile(
    file,
    Promise.resolve().then(() => readChecks(text)),
  );
};

/** The nearest directory above that has a repository; the directory itself where there is none. */
const repositoryOf = async (folder: string): Promise<string> => {
  for (let at = folder; ; at = path.dirname(at)) {
    if (await exists(path.join(at, '.git'))) return at;
    if (at === path.dirname(at)) return folder;
  }
};

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

/** Bounds of what a request takes. */
const MOST_FILES = 10_000;
const MOST_OCTETS = 12 << 20;

/** Files beside a text, as they are sent: those that are really below a directory, wherever links lead. */
class FilesBeside {
  readonly read: Record<string, string | GivenFile> = {};
  readonly #folder: string;
  readonly #root: string;
  #count = 0;
  #octets = 0;

  constructor(folder: string, root: string) {
    this.#folder = folder;
    this.#root = root;
  }

  /** Adds a file, or all files of a directory. `above`: directories that it is found in, where what is left out is told. */
  async add(name: string, above: readonly string[] = []): Promise<void> {
    const place = await realpath(path.resolve(this.#folder, name)).catch(() => null);
    if (place === null || !this.#isBelow(place) || above.includes(place)) {
      const why = place === null ? 'it is not there' : 'it leads away from the text';
      if (above.length > 0) process.stderr.write(`${printable(name)} is not sent: ${why}\n`);
      return;
    }
    const found = await stat(place).catch(cannotBe('read', name));
    if (found.isDirectory()) {
      const inside = name === '.' ? '' : `${name}/`;
      for (const one of await readdir(place).catch(cannotBe('read', name)))
        if (one !== '.git') await this.add(`${inside}${one}`, [...above, place]);
    } else if (found.isFile()) {
      this.#count += 1;
      this.#octets += found.size;
      if (this.#count > MOST_FILES || this.#octets > MOST_OCTETS)
        throw invalid(
          `the files that the text names are too many: at most ${MOST_FILES} with ${MOST_OCTETS >> 20} MiB are sent, and ${name} is behind that`,
        );
      this.read[name] = fileToGive(await readFile(place).catch(cannotBe('read', name)), found.mode);
    }
  }

  #isBelow(place: string): boolean {
    return [this.#folder, this.#root].some((root) => !path.relative(root, place).split(path.sep).includes('..'));
  }
}

const formatOfFile = (file: string): LabFormatName =>
  LAB_FORMAT_NAMES.find((name) => LAB_FORMATS[name].isNamed(path.basename(file))) ?? 'yaml';

const readInput = async (): Promise<string> => {
  const parts: Buffer[] = [];
  for await (const part of process.stdin) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
};

/** Adds the name of the file to errors, as compilers do, with a line for each problem. */
export const inFile = async <T>(file: string, asking: Promise<T>): Promise<T> => {
  try {
    return await asking;
  } catch (error) {
    const problems = error instanceof ApiError ? error.errors.flatMap((one) => placed(file, one) ?? []) : [];
    const whole = withFile(file, messageOf(error));
    if (whole === null) throw error;
    const [first = whole, ...also] = problems;
    throw TopologError.saying('invalid_request', first, { also });
  }
};

/** A sentence about a place of the text, as compilers have it; null: it is about none. */
export const withFile = (file: string, sentence: string): string | null => {
  const [, within, line, column, rest] =
    /^(?:The request is not valid: )?(?:(.+) )?line (\d+), column (\d+): ([^]*)$/.exec(sentence) ?? [];
  return line === undefined ? null : `${besideText(file, within)}:${line}:${column ?? ''}: ${rest ?? ''}`;
};

/** A file that a text includes, as it is from here. */
const besideText = (file: string, within: string | undefined): string =>
  within === undefined ? file : path.join(file === '-' ? '' : path.dirname(file), within);

const placed = (
  file: string,
  one: { field: string; problem: string; line?: number; column?: number; file?: string },
): string | null =>
  one.line === undefined ? null : `${besideText(file, one.file)}:${one.line}:${one.column ?? 1}: ${sentenceOf(one)}`;

/** A problem as a sentence, which one of the whole text already is. */
const sentenceOf = ({ field, problem }: { field: string; problem: string }): string =>
  problem.startsWith('the text ') ? problem : `${field} ${problem}`;
