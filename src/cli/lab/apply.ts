import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { ApiError, type Client, type Schemas } from '../../client/index.ts';
import { conflict, TopologError } from '../../common/errors.ts';
import { LAB_FORMAT_NAMES, LAB_WRITER_NAMES } from '../../files/lab/formats.ts';
import { lessonLine } from '../../files/lab/yaml/write.ts';
import { type Done, labCommandWith } from '../lab-command.ts';
import { pick } from '../names.ts';
import { counted, projectsOf } from '../objects.ts';
import { printable } from '../printable.ts';
import { needYes } from '../running-server.ts';
import { cannotBe, wrongUsage } from '../command.ts';
import { wantsColour } from '../table.ts';
import { formatNamed, inFile, readGiven } from './read-text.ts';

/** Note for `--simulate`, if a node needs a program all the same. */
const ONLY_SYSTEMS =
  'only network systems are simulated here; topolog serve --simulate does so for every kind without an engine';

export const applyCommand = labCommandWith(
  {
    plan: { type: 'boolean' },
    start: { type: 'boolean' },
    project: { type: 'string' },
    as: { type: 'string' },
    simulate: { type: 'boolean' },
    'files-below': { type: 'string' },
  },
  {
    usage: 'apply FILE [--plan] [--yes] [--start] [--project PROJECT] [--as FORMAT] [--simulate] [--files-below DIR]',
    counts: [1, 1],
    does: `Makes a lab match a text, in one batch. What is not in the text is deleted. Applied again, it changes nothing. FILE - is the standard
input; the files that it names are looked up beside it. Before a node, a link or a drawing is removed, and before a lab is changed that was
not made from a text, the plan is shown and a yes at the terminal wanted.

  --plan             only print what would be done: + added, ~ changed, - removed. Exit code 2: something would be, 0: nothing
  --yes, -y          do not ask
  --start            start all nodes afterwards; nodes that were stopped for a change start again anyway
  --project PROJECT  the lab to change; otherwise the one with the text's name, which is made if there is none
  --as FORMAT        format of the text (${LAB_FORMAT_NAMES.join(', ')}), if its name does not tell
  --simulate         network systems of a topology file that nothing here stands for are simulated; otherwise the text is refused. All other
                     nodes are real; topolog serve --simulate is a server that simulates every kind without an engine
  --files-below DIR  files that the text names are read below this directory too; otherwise below its own and the repository around it

Exit codes: 0 done, 1 not or not all of it (a node did not start, the answer was no), 2 a text that is not right, a plan with something to do, and
no --yes where it is needed and nobody can be asked: nothing is changed then.`,
  },
  async ({ client, wanted: [file = ''], flags, yes }): Promise<Done> => {
    const given = await readGiven(file, { as: flags.as, below: flags['files-below'] });
    const project =
      flags.project === undefined ? {} : { project_id: pick('project', await projectsOf(client), flags.project).id };
    const body = { ...given, ...project, simulate: flags.simulate === true };
    const computes = new Map((await client.get('/v2/computes')).map(({ compute_id, name }) => [compute_id, name]));
    const { body: plan, etag } = await inFile(file, client.request('post', '/v2/labs/plan', { body }));
    const origin = flags.project === undefined ? await originOf(client, plan, given.text) : 'this';
    const noted = origin === 'none' ? [`${plan.name} ${ORIGINS.none}`] : [];
    const planned = planLines({ ...plan, notes: [...plan.notes, ...noted] }, computes, null);
    if (flags.plan === true) return { records: plan, rows: [], text: planned, code: plan.changes.length === 0 ? 0 : 2 };
    if (!yes) await agreedTo(plan, origin, planned);
    // The plan is only compared if the user has agreed to it.
    const guard = yes || etag === null ? {} : { ifMatch: etag };
    const applying = client.post('/v2/labs/apply', { body: { ...body, start: flags.start === true }, ...guard });
    const done = await inFile(file, applying.catch(unlessChanged(plan.name)));
    const failed = done.failed.length > 0;
    const more = failed && body.simulate ? [ONLY_SYSTEMS] : [];
    const told = { ...done, notes: [...done.notes, ...noted, ...more] };
    return { records: done, rows: [], text: planLines(told, computes, done), failed };
  },
);

/** Origin of an existing lab: this text, another one, or none. */
type Origin = 'this' | 'other' | 'none';

const ORIGINS = {
  none: 'was not made from a text (--project says that it is meant)',
  other: 'was made from another text, or from this one before it was changed',
} as const;

/** Determines the origin by the texts that were applied to the lab. A lab without nodes has nothing to lose. */
const originOf = async (client: Client, { project_id, changes }: Plan, text: string): Promise<Origin> => {
  if (project_id === null || changes.length === 0) return 'this';
  const at = { path: { project_id } };
  const sha256 = createHash('sha256').update(text).digest('hex');
  let origin: Origin = 'none';
  const query = { type: 'project.apply_requested' };
  for await (const line of client.lines('/v2/projects/{project_id}/events', { ...at, query })) {
    if ((JSON.parse(line) as { data: { sha256: string } }).data.sha256 === sha256) return 'this';
    origin = 'other';
  }
  const nodes = await client.get('/v2/projects/{project_id}/nodes', at);
  return origin === 'none' && nodes.length === 0 ? 'this' : origin;
};

export type Plan = Schemas['LabPlan'];

/** Handler for a lab that has changed since the plan was made. */
const unlessChanged =
  (lab: string) =>
  (error: unknown): never => {
    if (!(error instanceof ApiError) || error.status !== 412) throw error;
    throw conflict(
      `${printable(lab)} has changed since the plan was made, and another plan is right now: nothing was changed; topolog apply shows it`,
    );
  };

const NOUNS = ['node', 'link', 'drawing'] as const;

/** Asks before something is removed, and before a lab is changed that was not made from a text. Throws unless the user agrees. */
const agreedTo = async (plan: Plan, origin: Origin, planned: string): Promise<void> => {
  const removed = plan.changes.filter(({ action }) => action === 'remove');
  if (removed.length === 0 && origin !== 'none') return;
  process.stderr.write(planned);
  const counts = NOUNS.map((noun) => counted(removed.filter(({ type }) => type === noun).length, noun));
  const goes = counts
    .filter((one) => !one.startsWith('0 '))
    .join(', ')
    .replace(/, ([^,]*)$/, ' and $1');
  const name = printable(plan.name);
  const reasons = [
    ...(goes === '' ? [] : [`${goes} of ${name} would be removed`]),
    ...(origin === 'this' ? [] : [`${name} ${ORIGINS[origin]}`]),
  ].join('; ');
  await needYes(`${reasons}. Apply all the same?`, `not applied, nothing was changed: ${reasons}`);
};

export const showCommand = labCommandWith(
  { as: { type: 'string' }, update: { type: 'string' }, schema: { type: 'boolean' } },
  {
    usage: 'show [PROJECT] [--as FORMAT] [--update FILE] [--schema]',
    counts: [0, 1],
    does: `Prints a lab as text, for topolog apply to make it again.

  --as FORMAT    ${LAB_WRITER_NAMES.join(', ')} (yaml); ansible is an inventory, hosts are lines for /etc/hosts
  --update FILE  write what has changed in the lab into this text; its comments, its order and its spelling of values stay
  --schema       print the JSON Schema of yaml instead, for editors`,
  },
  async ({ client, wanted: [wanted], flags }): Promise<Done> => {
    if (flags.schema === true) {
      const schema = await client.get('/v2/labs/schema');
      return { records: schema, rows: [], text: `${JSON.stringify(schema, null, 2)}\n` };
    }
    if (wanted === undefined) throw wrongUsage('show PROJECT');
    const at = { path: { project_id: pick('project', await projectsOf(client), wanted).id } };
    if (flags.update !== undefined) {
      const { text, files } = await readGiven(flags.update, { as: 'yaml' });
      const updating = client.post('/v2/projects/{project_id}/lab', { ...at, body: { text, files } });
      const updated = await inFile(flags.update, updating);
      if (updated.text !== text) await writeFile(flags.update, updated.text).catch(cannotBe('written', flags.update));
      return { records: updated, rows: [[flags.update, updated.text === text ? 'is up to date' : 'updated']] };
    }
    const answer = await client.fetch(
      `/v2/projects/${at.path.project_id}/lab?as=${formatNamed(flags.as ?? 'yaml', LAB_WRITER_NAMES)}`,
    );
    const text = await answer.text();
    if (!answer.ok) throw TopologError.saying('conflict', (JSON.parse(text) as { message: string }).message);
    return { records: { text }, rows: [], text };
  },
);

type Change = Plan['changes'][number];

const SIGNS = { add: '+', change: '~', remove: '-' } as const;
const COLOURS = { add: 32, change: 33, remove: 31 } as const;

/** Most characters of a value, and of an item of a list, which has its own line. */
const MOST = 100;
const MOST_OF_LIST = 300;

const valueText = (value: unknown, most = MOST): string => {
  const text = value === undefined ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value);
  const line = printable(text);
  return line.length <= most ? line : `${line.slice(0, most - 3)}...`;
};

/** Fields that are printed as in a lab's text. */
const LESSONS = new Set(['checks', 'weather', 'stages']);

/** Lines of a text, or of a list of objects; null for a value of one line. */
const linesOf = (field: string, value: unknown): string[] | null => {
  if (typeof value === 'string') return value.includes('\n') ? value.split('\n').filter((line) => line !== '') : null;
  const isLong = Array.isArray(value) && value.some((one) => typeof one === 'object');
  return isLong
    ? (value as unknown[]).map((one) => (LESSONS.has(field) ? lessonLine(field, one) : JSON.stringify(one)))
    : null;
};

const oneLine = (value: unknown): string[] => (typeof value === 'string' && value !== '' ? [value] : []);

const fieldLines = ({ field, from, to }: Change['fields'][number]): string[] => {
  const [before, after] = [linesOf(field, from), linesOf(field, to)];
  if (before === null && after === null) return [`      ${printable(field)}: ${valueText(from)} → ${valueText(to)}`];
  const [was, is] = [before ?? oneLine(from), after ?? oneLine(to)];
  return [
    `      ${printable(field)}:`,
    ...was.filter((line) => !is.includes(line)).map((line) => `        - ${valueText(line, MOST_OF_LIST)}`),
    ...is.filter((line) => !was.includes(line)).map((line) => `        + ${valueText(line, MOST_OF_LIST)}`),
  ];
};

/** Names of computes by id; `local` is this server. */
type Computes = ReadonlyMap<string, string>;

/** Compute of a node, if there are several. */
const placeOf = (computes: Computes, id: string | null): string =>
  id === null || computes.size < 2 ? '' : ` on ${printable(computes.get(id) ?? id)}`;

const withNames = (computes: Computes, one: Change['fields'][number]): Change['fields'][number] => {
  const name = (id: unknown): unknown => computes.get(String(id)) ?? id;
  return one.field === 'compute' ? { ...one, from: name(one.from), to: name(one.to) } : one;
};

interface Failed {
  name: string;
  message: string;
}

/** Results of applying, beside the changes. */
interface Applied {
  /** Nodes that failed to start. */
  failed: readonly Failed[];
  /** Names of nodes that were started by `--start`. */
  started: readonly string[];
}

/** Prints a plan; `done` is null if it was not applied. */
export const planLines = (plan: Plan, computes: Computes, done: Applied | null): string => {
  const isColoured = wantsColour(process.stdout, process.env);
  const painted = ({ action }: Change, text: string): string =>
    isColoured ? `\u001b[${COLOURS[action]}m${text}\u001b[0m` : text;
  const lines = plan.changes.flatMap((change) => {
    const where = change.type === 'node' ? placeOf(computes, change.compute_id ?? 'local') : '';
    const restart = change.restart ? ', stopped for it and started again' : '';
    const what = `${change.type} ${printable(change.name)}${where}${restart}`;
    return [
      `  ${painted(change, SIGNS[change.action])} ${what}`,
      ...change.fields.map((one) => withNames(computes, one)).flatMap(fieldLines),
    ];
  });
  const notes = plan.notes.map((note) => `note: ${printable(note)}`);
  const failed = failedLines(done?.failed ?? []);
  return [...lines, ...(lines.length === 0 ? [] : ['']), ...notes, ...failed, summary(plan, done), ''].join('\n');
};

/** Most nodes that are named for one cause. */
const MOST_NAMED = 10;

/** Prints each cause once, with the nodes that it keeps from starting. */
const failedLines = (failed: readonly Failed[]): string[] => {
  const alike = new Map<string, Failed[]>();
  for (const one of failed) alike.set(causeOf(one), [...(alike.get(causeOf(one)) ?? []), one]);
  return [...alike].map(([cause, all]) => {
    const names = all.slice(0, MOST_NAMED).map(({ name }) => printable(name));
    const more = all.length - names.length;
    const who = `${names.join(', ')}${more === 0 ? '' : ` and ${more} more`}`;
    return `${who} did not start: ${printable(all.length === 1 ? (all[0]?.message ?? '') : cause)}`;
  });
};

/** Message about a node without its name, to be printed for several. */
const causeOf = ({ name, message }: Failed): string => {
  if (message.startsWith(`${name}: `)) return message.slice(name.length + 2);
  return message.startsWith(`${name} `) ? `each${message.slice(name.length)}` : message;
};

const summary = ({ name, changes }: Plan, done: Applied | null): string => {
  const started = done === null || done.started.length === 0 ? '' : startedText(done.started);
  if (changes.length === 0) return `${printable(name)} is as the text says: ${started || 'nothing to do'}.`;
  const count = (action: Change['action']): number => changes.filter((change) => change.action === action).length;
  const restarts = changes.filter(({ restart }) => restart).length;
  const [add, change, remove] = [count('add'), count('change'), count('remove')];
  return done !== null
    ? `${printable(name)}: ${[`${add} added, ${change} changed, ${remove} removed, ${restarts} restarted`, started].filter(Boolean).join(', ')}.`
    : `Plan for ${printable(name)}: ${add} to add, ${change} to change, ${remove} to remove, ${restarts} to restart.`;
};

const startedText = (names: readonly string[]): string => {
  const more = names.length - MOST_NAMED;
  const named = names.slice(0, MOST_NAMED).map(printable).join(', ');
  return `${names.length} started (${named}${more > 0 ? ` and ${more} more` : ''})`;
};
