import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../../client/index.ts';
import { duration } from '../../common/forms/duration.ts';
import { conflict, invalid, TopologError } from '../../common/errors.ts';
import { didYouMean, pick, wordsNear } from '../names.ts';
import { type Done, labCommandWith } from '../lab/lab-command.ts';
import { nodeRows } from '../lab/rows.ts';
import { type NamedProject, nodesIn, projectNamed } from '../lab/things.ts';

const PROJECT = '/v2/projects/{project_id}';

const STATES = ['started', 'stopped', 'suspended'] as const;
type State = (typeof STATES)[number];
const WISHES = [...STATES, 'checks'] as const;

/** Unless the command says otherwise. Milliseconds. */
const PATIENCE_MS = 60_000;
/** The server waits no longer for one request. Seconds. */
const MOST_OF_REQUEST = 600;
/** From one look at the checks to the next. Milliseconds. */
const LOOK_MS = 250;

/** `topolog wait` */
export const waitCommand = labCommandWith(
  { for: { type: 'string' }, timeout: { type: 'string' } },
  {
    usage: 'wait PROJECT [NODE...] [--for started|stopped|suspended|checks] [--timeout TIME]',
    counts: [1, Infinity],
    does: `Waits until nodes of a project, or all of it, are in a state, or until all of its checks are met. It starts nothing.

  --for WHAT       started, stopped, suspended, or checks (started)
  --timeout TIME   no longer than that: 500ms, 90s, 5m (60s)

Exit code 0 when it is so; 1 when it was not in time, or cannot come: a node could not be started.`,
  },
  async ({ client, wanted: [wanted, ...names], flags }) => {
    const { for: what = 'started', timeout } = flags;
    const wish = WISHES.find((one) => one === what);
    if (wish === undefined)
      throw invalid(`--for takes ${WISHES.join(', ')}, not ${what}${didYouMean(wordsNear(what, WISHES))}`);
    const ms = timeout === undefined ? PATIENCE_MS : durationOf(timeout);
    const project = await projectNamed(client, wanted);
    if (wish !== 'checks') return untilState(client, project, { names, state: wish, ms });
    if (names.length > 0) throw invalid('--for checks waits for a whole project, not for nodes');
    return untilMet(client, project, ms);
  },
);

const durationOf = (text: string): number => {
  const { success, data } = duration.safeParse(/^\d+(?:\.\d+)?$/.test(text) ? Number(text) : text);
  if (!success) throw invalid(`--timeout takes a time such as 500ms, 90s or 5m, or a number of seconds, not ${text}`);
  return data;
};

interface Wish {
  names: readonly string[];
  state: State;
  ms: number;
}

const untilState = async (client: Client, project: NamedProject, { names, state, ms }: Wish): Promise<Done> => {
  const nodes = await nodesIn(client, project);
  const node = names.map((name) => pick('node', nodes, name).id);
  const which = node.length === 0 ? { all: 'true' as const } : { node };
  const until = performance.now() + ms;
  for (;;) {
    const left = Math.max(0, until - performance.now());
    const seconds = Math.min(MOST_OF_REQUEST, Math.ceil(left / 1000));
    try {
      const query = { ...which, status: state, timeout: seconds };
      const found = await client.get(`${PROJECT}/wait`, { path: { project_id: project.id }, query });
      const ids = new Set(found.map(({ node_id }) => node_id));
      const there = (await nodesIn(client, project)).filter(({ id }) => ids.has(id));
      return { records: found, rows: await nodeRows(client, there) };
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'deadline' || performance.now() >= until) throw error;
    }
  }
};

const untilMet = async (client: Client, { id, names }: NamedProject, ms: number): Promise<Done> => {
  const until = performance.now() + ms;
  for (;;) {
    const checks = await client.get(`${PROJECT}/checks`, { path: { project_id: id } });
    if (checks.length === 0) throw conflict(`${names[0]} has no checks`);
    const open = checks.filter(({ result }) => result.verdict !== 'met');
    const rows = checks.map(({ title, result: { verdict, text, last } }) => [verdict, title, last?.text ?? text ?? '']);
    if (open.length === 0) return { records: checks, rows };
    if (performance.now() >= until)
      throw TopologError.saying(
        'deadline',
        `${open.length} of ${checks.length} checks were not met within ${ms / 1000} s: ${open.map(({ title }) => title).join(', ')}`,
      );
    await sleep(Math.min(LOOK_MS, Math.max(1, until - performance.now())));
  }
};
