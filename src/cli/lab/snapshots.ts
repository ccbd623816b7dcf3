import type { Client, Schemas } from '../../client/index.ts';
import { type Named, pick, verbIn } from '../names.ts';
import { printable } from '../printable.ts';
import { wrongUsage } from '../command.ts';
import { type Asked, type Done, labCommand } from '../lab-command.ts';
import { needYes } from '../running-server.ts';
import { type NamedProject, projectNamed, projectRow } from '../objects.ts';

type Snapshot = Schemas['Snapshot'];

const SNAPSHOTS = '/v2/projects/{project_id}/snapshots';
const ONE = `${SNAPSHOTS}/{snapshot_id}` as const;

const VERBS = ['ls', 'restore', 'rm'] as const;
type Verb = (typeof VERBS)[number];
const isVerb = (word: string): word is Verb => VERBS.some((verb) => verb === word);

const USAGES: Readonly<Record<Verb, string>> = {
  ls: 'snapshot ls PROJECT',
  restore: 'snapshot restore PROJECT SNAPSHOT',
  rm: 'snapshot rm PROJECT SNAPSHOT',
};

/** `topolog snapshot` */
export const snapshotCommand = labCommand(
  'snapshot PROJECT [NAME] | ls PROJECT | restore PROJECT SNAPSHOT | rm PROJECT SNAPSHOT [--yes]',
  [1, 3],
  `Keeps a lab as it is, with the files of its nodes, and goes back to it. Its nodes must be stopped; those that always run may run.

  PROJECT [NAME]            take one; without a name it is called after the time
  ls PROJECT                list them, oldest first
  restore PROJECT SNAPSHOT  make the lab what it was; nodes that run are stopped. It asks first, unless --yes (-y) says so
  rm PROJECT SNAPSHOT       delete one for good; it asks first as well

A snapshot is named by its name, a beginning that no other has, or its id. A project that is called ls, restore or rm goes by its id.`,
  async (asked) => {
    const [first = '', ...more] = asked.wanted;
    if (!isVerb(first) && more.length < 2) return take(asked, first, more[0]);
    const verb = verbIn('topolog snapshot', VERBS, first);
    const [wanted, name, ...rest] = more;
    if (wanted === undefined || rest.length > 0 || (verb === 'ls') !== (name === undefined))
      throw wrongUsage(USAGES[verb]);
    const project = await projectNamed(asked.client, wanted);
    return name === undefined ? list(asked.client, project) : ACTIONS[verb](asked, project, name);
  },
);

const row = ({ name, created_at, snapshot_id }: Snapshot): string[] => [
  name,
  new Date(created_at * 1000).toISOString(),
  snapshot_id,
];

const take = async ({ client }: Asked, wanted: string, given?: string): Promise<Done> => {
  const { id: project_id } = await projectNamed(client, wanted);
  const name = given ?? new Date().toISOString().slice(0, 19).replace('T', ' ');
  const snapshot = await client.post(SNAPSHOTS, { path: { project_id }, body: { name } });
  return { records: snapshot, rows: [row(snapshot)] };
};

const snapshotsOf = (client: Client, { id: project_id }: Named): Promise<Snapshot[]> =>
  client.get(SNAPSHOTS, { path: { project_id } });

const list = async (client: Client, project: NamedProject): Promise<Done> => {
  const snapshots = await snapshotsOf(client, project);
  return { records: snapshots, rows: snapshots.map(row) };
};

/** Snapshots of a project by name. */
export const snapshotNames = async (client: Client, project: Named): Promise<Named[]> =>
  (await snapshotsOf(client, project)).map(({ snapshot_id: id, name }) => ({ id, names: [name] }));

const placeOf = async (client: Client, project: Named, wanted: string) => {
  const { id, names } = pick('snapshot', await snapshotNames(client, project), wanted);
  return { path: { project_id: project.id, snapshot_id: id }, name: names[0] };
};

const restore = async ({ client, yes }: Asked, project: NamedProject, wanted: string): Promise<Done> => {
  const { path, name } = await placeOf(client, project, wanted);
  const [lab, from] = [printable(project.names[0]), printable(name)];
  const question = `Make ${lab} what it was in snapshot ${from}? What was changed since is lost.`;
  if (!yes) await needYes(question, `not restored: ${lab} from snapshot ${from}`);
  const restored = await client.post(`${ONE}/restore`, { path });
  return { records: restored, rows: [projectRow(restored)] };
};

const remove = async ({ client, yes }: Asked, project: NamedProject, wanted: string): Promise<Done> => {
  const { path, name } = await placeOf(client, project, wanted);
  const what = printable(`snapshot ${name} of ${project.names[0]}`);
  if (!yes) await needYes(`Delete ${what} for good?`, `not deleted: ${what}`);
  await client.delete(ONE, { path });
  return { records: [path.snapshot_id], rows: [[`snapshot ${name}`, 'deleted']] };
};

const ACTIONS = { ls: ({ client }: Asked, project: NamedProject) => list(client, project), restore, rm: remove };
