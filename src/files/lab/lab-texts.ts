import { Worker } from 'node:worker_threads';
import { type ErrorCode, invalid, TopologError } from '../../common/errors.ts';
import { parsePieces } from '../../common/json.ts';
import { Mailbox } from '../../common/mailbox.ts';
import { programFile } from '../../common/package.ts';
import { inSlices, type Steps } from '../../common/slices.ts';
import { LAB_FORMATS, LAB_WRITERS, type LabFormatName, type LabWriterName } from './formats.ts';
import type { Lab, LabInput, LabReading, CheckLab } from './model.ts';
import { placesIn } from './problems.ts';
import { mayExpand } from './yaml/expand.ts';
import { type Difference, renamedInText, updateLabText } from './yaml/edit.ts';

/**
 * Reads and writes lab texts: large ones, which take seconds, in a worker thread, and small ones on the main thread.
 */

/** A task for thread.ts. `lab`, `differences`: JSON texts. */
export type LabTask =
  | { do: 'read'; format: LabFormatName; input: LabInput }
  | { do: 'write'; format: LabWriterName; lab: string }
  | { do: 'rename'; text: string; names: ReadonlyMap<string, string> }
  | { do: 'update'; text: string; differences: string };
/** Its answer. `lab`: JSON text. `places`: as `writePlaces` makes it. */
export type LabAnswer =
  | { lab: string; notes: string[]; places: string }
  | { text: string; notes?: string[] }
  | { code: ErrorCode; message: string; details: Record<string, unknown> };

/** Limits below which a text, or the nodes and links of a lab, take a few milliseconds. */
const SMALL = 16 * 1024;
const FEW = 100;
/** Memory limit of the thread in MiB; more than the largest text needs. */
const MOST_MEMORY = 2_048;
/** Timeout of a task, also on a loaded machine, as other tasks wait for it. Milliseconds. */
const LONGEST_MS = 120_000;

/** One task at a time, as each takes a processor and much memory. */
const threads = new Mailbox();

const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY';
const tooMuch = (what: string): TopologError => invalid(`the text ${what}`, { field: 'text' });

const answerOf = (task: LabTask): Promise<LabAnswer> =>
  threads.run(
    () =>
      new Promise((resolve, reject) => {
        const resourceLimits = { maxOldGenerationSizeMb: MOST_MEMORY };
        const thread = new Worker(programFile('files/lab/thread'), { workerData: task, resourceLimits });
        const late = setTimeout(() => {
          reject(tooMuch(`takes more than ${LONGEST_MS / 1_000} s`));
          void thread.terminate();
        }, LONGEST_MS).unref();
        thread.once('message', resolve);
        thread.once('error', (error) =>
          reject(
            'code' in error && error.code === OUT_OF_MEMORY ? tooMuch(`takes more than ${MOST_MEMORY} MiB`) : error,
          ),
        );
        thread.once('exit', () => {
          clearTimeout(late);
          reject(new Error('the thread for texts of labs has ended without an answer'));
        });
      }),
  );

const runTask = async <K extends 'lab' | 'text'>(
  task: LabTask,
  key: K,
): Promise<Extract<LabAnswer, Record<K, string>>> => {
  const answer = await answerOf(task);
  if ('code' in answer) throw TopologError.saying(answer.code, answer.message, answer.details);
  if (!(key in answer)) throw new Error(`the thread for texts of labs has answered another task than ${task.do}`);
  return answer as Extract<LabAnswer, Record<K, string>>;
};

/** Reads a text. `look`: called when a small text is refused, for further problems; not called for large ones. */
export const readLab = async (format: LabFormatName, input: LabInput, look?: CheckLab): Promise<LabReading> => {
  const files = Object.values(input.files).map((one) => (typeof one === 'string' ? one : one.content));
  if (isSmall(input.text, ...files) && !mayExpand(input.text)) return LAB_FORMATS[format].read(input, look);
  const { lab, notes, places } = await runTask({ do: 'read', format, input }, 'lab');
  return { lab: (await inSlices(parsePieces(lab))) as Lab, notes, placeOf: placesIn(places) };
};

export const writeLab = async (format: LabWriterName, lab: Lab): Promise<{ text: string; notes: string[] }> => {
  if (lab.nodes.length + lab.links.length + (lab.drawings?.length ?? 0) <= FEW) return LAB_WRITERS[format](lab);
  const { text, notes = [] } = await runTask({ do: 'write', format, lab: await inSlices(jsonOf(lab)) }, 'text');
  return { text, notes };
};

export const renameInLab = async (text: string, names: ReadonlyMap<string, string>): Promise<string> =>
  isSmall(text) || names.size === 0
    ? renamedInText(text, names)
    : (await runTask({ do: 'rename', text, names }, 'text')).text;

export const updateLab = async (text: string, differences: readonly Difference[]): Promise<string> => {
  if (isSmall(text) && differences.length <= FEW) return updateLabText(text, differences);
  const task = { do: 'update', text, differences: await inSlices(jsonOf({ differences })) } as const;
  return (await runTask(task, 'text')).text;
};

const isSmall = (...texts: readonly string[]): boolean => texts.reduce((sum, { length }) => sum + length, 0) <= SMALL;

/** JSON of an object, in steps for each item of its lists. */
function* jsonOf(value: object): Steps<string> {
  const parts: string[] = [];
  for (const [key, member] of Object.entries(value) as [string, unknown][]) {
    if (member === undefined) continue;
    if (!Array.isArray(member)) {
      parts.push(`${JSON.stringify(key)}:${JSON.stringify(member)}`);
      continue;
    }
    const items: string[] = [];
    for (const item of member as unknown[]) {
      items.push(JSON.stringify(item));
      yield;
    }
    parts.push(`${JSON.stringify(key)}:[${items.join(',')}]`);
  }
  return `{${parts.join(',')}}`;
}
