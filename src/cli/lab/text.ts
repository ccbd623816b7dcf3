import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { ApiError, type Client, type Schemas } from '../../client/index.ts';
import { conflict, TopologError } from '../../common/errors.ts';
import { LAB_FORMAT_NAMES } from '../../files/lab/formats.ts';
import { pick } from '../names.ts';
import { printable } from '../printable.ts';
import { cannotBe, wrongUsage } from '../source.ts';
import { formatNamed, inFile, readGiven } from './given-text.ts';
import { type Done, labCommandWith } from './lab-command.ts';
import { planLines } from './plan-lines.ts';
import { needYes } from './running-server.ts';
import { counted, projectsOf } from './things.ts';

/** Who has asked for what is simulated may wonder why a node needs a program. */
const ONLY_SYSTEMS =
  'only network systems are simulated here; topolog serve --simulate does so for every kind without an engine';

export const applyCommand = labCommandWith(
  {
    plan: { type: 'boolean' },
    start: { type: 'boolean' },
    project: { type: 'string' },
    as: { type: 'string' },
    simulate: { type: 'boolean' },
  },
  {
    usage: 'apply FILE [--plan] [--yes] [--start] [--project PROJECT] [--as FORMAT] [--simulate]',
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

Exit codes: 0 done, 1 not or not all of it (a node did not start, the answer was no), 2 a text that is not right, a plan with something to do, and
no --yes where it is needed and nobody can be asked: nothing is changed then.`,
  },
  async ({ client, wanted: [file = ''], flags, yes }): Promise<Done> => {
    const given = await readGiven(file, flags.as);
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
    // Without a question the plan is not compared.
    const guard = yes || etag === null ? {} : { ifMatch: etag };
    const applying = client.post('/v2/labs/apply', { body: { ...body, start: flags.start === true }, ...guard });
    const done = await inFile(file, applying.catch(unlessChanged(plan.name)));
    const failed = done.failed.length > 0;
    const more = failed && body.simulate ? [ONLY_SYSTEMS] : [];
    const told = { ...done, notes: [...done.notes, ...noted, ...more] };
    return { records: done, rows: [], text: planLines(told, computes, done), failed };
  },
);

/** Origin of a lab that exists already: this text, another one, or none. */
type Origin = 'this' | 'other' | 'none';

const ORIGINS = {
  none: 'was not made from a text (--project says that it is meant)',
  other: 'was made from another text, or from this one before it was changed',
} as const;

/** Looks at the texts that were applied to it. One without a node has nothing that could be lost. */
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

type Plan = Schemas['LabPlan'];

/** Somebody was quicker than the yes. */
const unlessChanged =
  (lab: string) =>
  (error: unknown): never => {
    if (!(error instanceof ApiError) || error.status !== 412) throw error;
    throw conflict(
      `${printable(lab)} has changed since the plan was made, and another plan is right now: nothing was changed; topolog apply shows it`,
    );
  };

const NOUNS = ['node', 'link', 'drawing'] as const;

/** Asks before something goes, and before a lab is changed that no text has made. Throws unless somebody agrees. */
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

  --as FORMAT    ${LAB_FORMAT_NAMES.join(', ')} (yaml)
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
      const { text, files } = await readGiven(flags.update, 'yaml');
      const updating = client.post('/v2/projects/{project_id}/lab', { ...at, body: { text, files } });
      const updated = await inFile(flags.update, updating);
      if (updated.text !== text) await writeFile(flags.update, updated.text).catch(cannotBe('written', flags.update));
      return { records: updated, rows: [[flags.update, updated.text === text ? 'is up to date' : 'updated']] };
    }
    const answer = await client.fetch(`/v2/projects/${at.path.project_id}/lab?as=${formatNamed(flags.as ?? 'yaml')}`);
    const text = await answer.text();
    if (!answer.ok) throw TopologError.saying('conflict', (JSON.parse(text) as { message: string }).message);
    return { records: { text }, rows: [], text };
  },
);
