import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { ApiError } from '../../client/index.ts';
import { invalid, messageOf, TopologError } from '../../common/errors.ts';
import { LAB_FORMAT_NAMES, LAB_FORMATS, type LabFormatName } from '../../files/lab/formats.ts';
import { cannotBe } from '../command.ts';

/** A lab's text with the files that it names, as it is sent. */
export interface GivenText {
  text: string;
  format: LabFormatName;
  files: Record<string, string>;
}

export const formatNamed = (name: string): LabFormatName => {
  const format = LAB_FORMAT_NAMES.find((one) => one === name);
  if (format === undefined) throw invalid(`--as is one of ${LAB_FORMAT_NAMES.join(', ')}`);
  return format;
};

/** Reads a text and the files that it names; `-` is the standard input. */
export const readGiven = async (file: string, as: string | undefined): Promise<GivenText> => {
  if (file.endsWith('.gns3')) throw invalid(`${file} is a project file, not a text: topolog load ${file} loads it`);
  const format = as === undefined ? formatOfFile(file) : formatNamed(as);
  const text = file === '-' ? await readInput() : await readFile(file, 'utf8').catch(cannotBe('read', file));
  const folder = file === '-' ? process.cwd() : path.dirname(path.resolve(file));
  const names = LAB_FORMATS[format].filesNamed(text);
  // The server reports missing files with their position in the text.
  const found = await Promise.all(
    (await Promise.all(names.map((name) => below(folder, name)))).flat().map(async (name) => {
      const content = await readFile(path.resolve(folder, name), 'utf8').catch(() => null);
      return content === null ? [] : [[name, content] as const];
    }),
  );
  return { text, format, files: Object.fromEntries(found.flat()) };
};

/** Path of a file, or of all files in a directory. */
const below = async (folder: string, name: string): Promise<string[]> => {
  const entries = await readdir(path.resolve(folder, name), { recursive: true, withFileTypes: true }).catch(() => null);
  if (entries === null) return [name];
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'));
};

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
    const [, line, column, rest] = /^(?:.*?: )?line (\d+), column (\d+): ([^]*)$/.exec(messageOf(error)) ?? [];
    if (line === undefined) throw error;
    const [first = `${file}:${line}:${column ?? ''}: ${rest ?? ''}`, ...also] = problems;
    throw TopologError.saying('invalid_request', first, { also });
  }
};

const placed = (
  file: string,
  one: { field: string; problem: string; line?: number; column?: number },
): string | null => (one.line === undefined ? null : `${file}:${one.line}:${one.column ?? 1}: ${sentenceOf(one)}`);

/** A problem as a sentence, which one of the whole text already is. */
const sentenceOf = ({ field, problem }: { field: string; problem: string }): string =>
  problem.startsWith('the text ') ? problem : `${field} ${problem}`;
