import { writeFile } from 'node:fs/promises';
import { invalid, TopologError } from '../../common/errors.ts';
import { LAB_FORMAT_NAMES } from '../../files/lab/formats.ts';
import { pick } from '../names.ts';
import { cannotBe } from '../source.ts';
import { formatNamed, inFile, readGiven } from './given-text.ts';
import { type Done, labCommandWith } from './lab-command.ts';
import { planLines } from './plan-lines.ts';
import { projectsOf } from './things.ts';

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
    usage: 'apply FILE [--plan] [--start] [--project PROJECT] [--as FORMAT] [--simulate]',
    counts: [1, 1],
    does: `Makes a lab match a text, in one batch. What is not in the text is deleted. Applied again, it changes nothing. FILE - is the standard
input; the files that it names are looked up beside it.

  --plan             only print what would be done: + added, ~ changed, - removed. Exit code 2: something would be, 0: nothing
  --start            start all nodes afterwards; nodes that were stopped for a change start again anyway
  --project PROJECT  the lab to change; otherwise the one with the text's name, which is made if there is none
  --as FORMAT        format of the text (${LAB_FORMAT_NAMES.join(', ')}), if its name does not tell
  --simulate         network systems of a topology file that nothing here stands for are simulated; otherwise the text is refused. All other
                     nodes are real; topolog serve --simulate is a server that simulates every kind without an engine

Exit codes: 0 done, 1 not or not all of it (a node did not start), 2 a text that is not right, and a plan with something to do.`,
  },
  async ({ client, wanted: [file = ''], flags }): Promise<Done> => {
    const given = await readGiven(file, flags.as);
    const project =
      flags.project === undefined ? {} : { project_id: pick('project', await projectsOf(client), flags.project).id };
    const body = { ...given, ...project, simulate: flags.simulate === true };
    const computes = new Map((await client.get('/v2/computes')).map(({ compute_id, name }) => [compute_id, name]));
    if (flags.plan === true) {
      const plan = await inFile(file, client.post('/v2/labs/plan', { body }));
      return {
        records: plan,
        rows: [],
        text: planLines(plan, computes, null),
        code: plan.changes.length === 0 ? 0 : 2,
      };
    }
    const done = await inFile(file, client.post('/v2/labs/apply', { body: { ...body, start: flags.start === true } }));
    const failed = done.failed.length > 0;
    const told = failed && body.simulate ? { ...done, notes: [...done.notes, ONLY_SYSTEMS] } : done;
    return { records: done, rows: [], text: planLines(told, computes, done), failed };
  },
);

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
    if (wanted === undefined) throw invalid('the command is topolog show PROJECT');
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
