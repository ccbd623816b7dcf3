import { isDeepStrictEqual } from 'node:util';
import { messageOf, reporting } from '../../common/errors.ts';
import { seedOf } from '../../common/forms/seed.ts';
import type { LinkWeather } from '../../events/fields.ts';
import type { LinkRecord, NodeRecord, WeatherRun } from '../../projections/records.ts';
import type { Caller } from '../caller.ts';
import { draft, type LabContext, SYSTEM_CALLER, warn } from '../context.ts';
import type { Members } from '../project/nodes.ts';
import { lastingName, settleLink } from '../link/cabling.ts';
import { inChunks } from '../runtime/chunks.ts';
import { type WeatherState, linkWeatherOf } from '../../projections/weather.ts';

/** What the weather does to links and nodes: events by the system, each caused by a step. */

/** Every link becomes what the sky says; those that are so already stay as they are. `goesOn`: nothing was left out before it. */
export const applyToLinks = async (
  context: LabContext,
  projectId: string,
  sky: WeatherState,
  { run, cause, goesOn = true }: { run: Pick<WeatherRun, 'seed' | 'at'>; cause: number; goesOn?: boolean },
): Promise<void> => {
  const changed = context.pending.ofProject('link', projectId).flatMap((link) => {
    const weather = seeded(context, link, linkWeatherOf(sky, link.link_id), { ...run, goesOn });
    return isDeepStrictEqual(weather, link.weather ?? null) ? [] : [{ link_id: link.link_id, weather }];
  });
  if (changed.length === 0) return;
  const because = { ...SYSTEM_CALLER, cause };
  await context.log.append(
    changed.map(({ link_id, weather }) =>
      draft(because, projectId, 'link.updated', { link_id, project_id: projectId, changes: { weather } }),
    ),
  );
  const settled = await inChunks(changed, async ({ link_id }, turn) => {
    await turn;
    await settleLink(context, link_id);
  });
  settled.forEach((result, i) => {
    if (result.status === 'rejected')
      warn(context, projectId, `the weather of link ${changed[i]?.link_id ?? ''}: ${messageOf(result.reason)}`);
  });
};

/** What is random begins where the link's weather begins, by what is the same wherever the lab runs. */
const seeded = (
  context: LabContext,
  link: LinkRecord,
  weather: LinkWeather | null,
  { seed, at, goesOn }: Pick<WeatherRun, 'seed' | 'at'> & { goesOn: boolean },
): LinkWeather | null => {
  if (weather === null || Object.keys(weather.filters).length === 0) return weather;
  const own = link.filters['seed']?.[0] ?? lastingName(context, link);
  const before = goesOn ? link.weather?.filters['seed'] : undefined;
  const began = before ?? [seedOf(`${seed} ${own} ${at}`) || 1];
  return { ...weather, filters: { seed: began, ...weather.filters } };
};

/** Of a project that is closed or restored: its nodes stop, and its cables go. */
export const endWeather = async (context: LabContext, projectId: string, caller: Caller): Promise<void> => {
  const { pending, log } = context;
  const run = pending.get('project', projectId)?.weather_run;
  const links = pending.ofProject('link', projectId).filter(({ weather }) => weather !== undefined);
  if (run === undefined && links.length === 0) return;
  const at = run === undefined ? 0 : run.since === null ? run.at : Math.max(run.at, Date.now() - run.since);
  await log.append([
    ...(run === undefined ? [] : [draft(caller, projectId, 'weather.ended', { project_id: projectId, at })]),
    ...links.map(({ link_id }) =>
      draft(caller, projectId, 'link.updated', { link_id, project_id: projectId, changes: { weather: null } }),
    ),
  ]);
};

const isRunning = ({ state }: NodeRecord): boolean => state !== 'stopped';

/** Those that are to be down, and can be ended. */
export const endable = (context: LabContext, projectId: string, down: ReadonlySet<string>): string[] =>
  context.pending
    .ofProject('node', projectId)
    .filter((node) => down.has(node.node_id) && isRunning(node))
    .map(({ node_id }) => node_id);

/** Nodes that the last step was to start again, and to which nothing has happened since. */
export const leftDown = (context: LabContext, projectId: string, { cause, up }: WeatherRun): string[] =>
  context.pending
    .ofProject('node', projectId)
    .filter(({ node_id, state, changed }) => up.includes(node_id) && state === 'stopped' && changed < cause)
    .map(({ node_id }) => node_id);

/** Not waited for: a step of the weather is in time, however long a node takes. */
export const crash = (
  { context, directory, cause }: { context: LabContext; directory: Members; cause: number },
  ids: readonly string[],
): void => {
  for (const node_id of ids)
    void directory
      .findNode(node_id)
      ?.crash(cause)
      .catch(reporting(context.logger, { node_id }, 'a crash by the weather'));
};

/** Of those that are still there. Not waited for, as above. */
export const startAgain = (
  { context, directory, cause }: { context: LabContext; directory: Members; cause: number },
  ids: readonly string[],
): void => {
  for (const node_id of ids)
    void directory
      .findNode(node_id)
      ?.act({ ...SYSTEM_CALLER, cause }, 'start')
      .catch(reporting(context.logger, { node_id }, 'a start by the weather'));
};
