import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { invalid, messageOf, TopologError } from '../../common/errors.ts';
import { LAB_FORMAT_NAMES, LAB_FORMATS, type LabFormatName } from '../../files/lab/formats.ts';
import { pick } from '../names.ts';
import { type Done, labCommandWith } from './lab-command.ts';
import { planLines } from './plan-lines.ts';
import { projectsOf } from './things.ts';

/** A text as it is sent: with those that it names, which are beside it. */
interface Given {
  text: string;
  format: LabFormatName;
  files: Record<string, string>;
}

const formatNamed = (name: string): LabFormatName => {
  const format = LAB_FORMAT_NAMES.find((one) => one === name);
  if (format === undefined) throw invalid(`--as is one of ${LAB_FORMAT_NAMES.join(', ')}`);
  return format;
};

/** `-` is the standard input. */
const readGiven = async (file: string, as: string | undefined): Promise<Given> => {
  const format = as === undefined ? formatOfFile(file) : formatNamed(as);
  const text = file === '-' ? await readInput() : await readText(file);
  const folder = file === '-' ? process.cwd() : path.dirname(path.resolve(file));
  const names = LAB_FORMATS[format].filesNamed(text);
  // What is not there is told by the server, at its place in the text.
  const found = await Promise.all(
    (await Promise.all(names.map((name) => below(folder, name)))).flat().map(async (name) => {
      const content = await readFile(path.resolve(folder, name), 'utf8').catch(() => null);
      return content === null ? [] : [[name, content] as const];
    }),
  );
  return { text, format, files: Object.fromEntries(found.flat()) };
};

/** A file, or all that are in a directory. */
const below = async (folder: string, name: string): Promise<string[]> => {
  const entries = await readdir(path.resolve(folder, name), { recursive: true, withFileTypes: true }).catch(() => null);
  if (entries === null) return [name];
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'));
};

const formatOfFile = (file: string): LabFormatName =>
  LAB_FORMAT_NAMES.find((name) => LAB_FORMATS[name].isNamed(path.basename(file))) ?? 'yaml';

const readText = async (file: string): Promise<string> => {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw invalid(`${file} cannot be read: ${messageOf(error)}`);
  }
};

const readInput = async (): Promise<string> => {
  const parts: Buffer[] = [];
  for await (const part of process.stdin) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
};

/** With the name of the file, as compilers say it. */
const inFile = async <T>(file: string, asking: Promise<T>): Promise<T> => {
  try {
    return await asking;
  } catch (error) {
    const [, line, column, rest] = /^(?:.*?: )?line (\d+), column (\d+): ([^]*)$/.exec(messageOf(error)) ?? [];
    if (line === undefined) throw error;
    throw TopologError.saying('invalid_request', `${file}:${line}:${column ?? ''}: ${rest ?? ''}`);
  }
};

export const applyCommand = labCommandWith(
  {
    plan: { type: 'boolean' },
    start: { type: 'boolean' },
    project: { type: 'string' },
    as: { type: 'string' },
    simulate: { type: 'boolean' },
  },
  {
    usage: 'apply FILE [--plan] [--start] [--project PROJECT] [--as FORMAT] [--simulate]',
    counts: [1, 1],
    does: `Makes a lab what a text says, in one batch: what the text does not have goes. The second time nothing happens. FILE - is the standard
input; the files that it names are looked up beside it.

  --plan             only say what would be done: + added, ~ changed, - removed. Exit code 2: something would be, 0: nothing
  --start            all nodes run afterwards; those that are stopped for a change do anyway
  --project PROJECT  the lab that is to become so; otherwise the one of the text's name, which is made if there is none
  --as FORMAT        of the text (${LAB_FORMAT_NAMES.join(', ')}), where its name does not tell
  --simulate         nodes of systems that nothing here stands for are simulated; otherwise the text is refused

Exit codes: 0 done, 1 not or not all of it (a node did not start), 2 a text that is not right, and a plan with something to do.`,
  },
  async ({ client, wanted: [file = ''], flags }): Promise<Done> => {
    const given = await readGiven(file, flags.as);
    const project =
      flags.project === undefined ? {} : { project_id: pick('project', await projectsOf(client), flags.project).id };
    const body = { ...given, ...project, simulate: flags.simulate === true };
    if (flags.plan === true) {
      const plan = await inFile(file, client.post('/v2/labs/plan', { body }));
      return { records: plan, rows: [], text: planLines(plan, null), code: plan.changes.length === 0 ? 0 : 2 };
    }
    const done = await inFile(file, client.post('/v2/labs/apply', { body: { ...body, start: flags.start === true } }));
    return { records: done, rows: [], text: planLines(done, done.failed), failed: done.failed.length > 0 };
  },
);

export const showCommand = labCommandWith(
  { as: { type: 'string' }, update: { type: 'string' }, schema: { type: 'boolean' } },
  {
    usage: 'show [PROJECT] [--as FORMAT] [--update FILE] [--schema]',
    counts: [0, 1],
    does: `Prints a lab as a text that makes it again.

  --as FORMAT    ${LAB_FORMAT_NAMES.join(', ')} (yaml)
  --update FILE  write what has changed in the lab into this text; its comments, its order and what it says in its own way stay
  --schema       print the JSON Schema of yaml instead, for editors`,
  },
  async ({ client, wanted: [wanted], flags }): Promise<Done> => {
    if (flags.schema === true) {
      const schema = await client.get('/v2/labs/schema');
      return { records: schema, rows: [], text: `${JSON.stringify(schema, null, 2)}\n` };
    }
    if (wanted === undefined) throw invalid('the command is topolog show PROJECT');
    const at = { path: { project_id: pick('project', await projectsOf(client), wanted).id } };
    if (flags.update !== undefined) {
      const { text, files } = await readGiven(flags.update, 'yaml');
      const updating = client.post('/v2/projects/{project_id}/lab', { ...at, body: { text, files } });
      const updated = await inFile(flags.update, updating);
      if (updated.text !== text) await writeFile(flags.update, updated.text);
      return { records: updated, rows: [[flags.update, updated.text === text ? 'is up to date' : 'updated']] };
    }
    const answer = await client.fetch(`/v2/projects/${at.path.project_id}/lab?as=${formatNamed(flags.as ?? 'yaml')}`);
    const text = await answer.text();
    if (!answer.ok) throw TopologError.saying('conflict', (JSON.parse(text) as { message: string }).message);
    return { records: { text }, rows: [], text };
  },
);
