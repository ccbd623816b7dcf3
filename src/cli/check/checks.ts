import type { Client } from '../../client/index.ts';
import { pick } from '../names.ts';
import { type Done, labCommandWith } from '../lab/lab-command.ts';
import { projectsOf } from '../lab/things.ts';

const CHECKS = '/v2/projects/{project_id}/checks';

export const checksCommand = labCommandWith(
  { watch: { type: 'boolean' } },
  {
    usage: 'checks PROJECT [--watch]',
    counts: [1, 1],
    does: `Prints the results of a project's checks: the verdict, when it came after the start of the lab, what was found then, and what is found now if that differs. Exit code 1 if one is broken, and if there is none.

  --watch          go on, and print each verdict that changes`,
  },
  async ({ client, wanted: [wanted], flags }): Promise<Done> => {
    const project = pick('project', await projectsOf(client), wanted ?? '');
    const at = { path: { project_id: project.id } };
    const checks = await client.get(CHECKS, at);
    const rows = checks.map(rowOf);
    if (flags.watch !== true)
      return {
        records: checks,
        rows,
        none: `${project.names[0]} has no checks`,
        failed: checks.length === 0 || checks.some(({ result }) => result.verdict === 'broken'),
      };
    for (const row of rows) process.stdout.write(`${row.join('  ')}\n`);
    await watch(client, at);
    return { records: checks, rows: [] };
  },
);

type Check = Awaited<ReturnType<typeof checksOf>>[number];
const checksOf = (client: Client, project_id: string) => client.get(CHECKS, { path: { project_id } });

const rowOf = ({ title, result: { verdict, after_ms, text, last } }: Check): string[] => [
  verdict,
  title,
  after_ms === null ? '' : `${(after_ms / 1000).toFixed(2)} s`,
  last === null || last.text === text ? (text ?? '') : `${text}; now: ${last.text}`,
];

/** Until it is interrupted. */
const watch = async (client: Client, { path }: { path: { project_id: string } }): Promise<void> => {
  const known = new Map<string, string>();
  const told = ({ result }: Check): string => `${result.position ?? ''}`;
  for (const check of await checksOf(client, path.project_id)) known.set(check.check_id, told(check));
  for await (const { action } of client.feed('/v2/projects/{project_id}/notifications', { path })) {
    if (!/^(check|run)\./.test(action)) continue;
    for (const check of await checksOf(client, path.project_id)) {
      if (known.get(check.check_id) === told(check)) continue;
      known.set(check.check_id, told(check));
      process.stdout.write(`${rowOf(check).join('  ')}\n`);
    }
  }
};
