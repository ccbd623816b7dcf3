import type { LabContext } from '../../src/actors/context.ts';
import type { ProjectRecord } from '../../src/projections/records.ts';
import { nextChange, weatherAt, linkWeatherOf } from '../../src/projections/weather.ts';

/** What is on record as still to be done, when nothing is under way any more: nothing. */

/** The weather may be as late. Milliseconds. */
const LATE_MS = 5_000;

export const checkDone = ({ committed, kinds }: LabContext): string[] =>
  committed
    .projects()
    .flatMap((project) => [
      ...checkAsked(project),
      ...checkWeather(committed, project),
      ...checkRun({ committed, kinds }, project),
    ]);

type View = LabContext['committed'];

const checkAsked = ({ name, state, asked, starting, auto_close, unattended }: ProjectRecord): string[] => [
  ...(asked === undefined ? [] : [`all nodes of ${name} were to ${asked.action}, and that has no end`]),
  ...(starting === undefined ? [] : [`nodes of ${name} were to start with it, and were not asked`]),
  ...(state === 'opened' && auto_close && unattended !== undefined
    ? [`${name} is open, and its last viewer has left`]
    : []),
];

const checkWeather = (view: View, project: ProjectRecord): string[] => {
  const { name, project_id, weather = [], weather_run: run, state } = project;
  if (state !== 'opened') return [];
  const sky = weatherAt(run === undefined ? [] : weather, run?.stepped ?? 0);
  const links = view.ofProject('link', project_id).flatMap((link) => {
    const { seed: _, ...filters } = link.weather?.filters ?? {};
    const has = link.weather == null ? null : { ...link.weather, filters };
    const wanted = linkWeatherOf(sky, link.link_id);
    return JSON.stringify(has) === JSON.stringify(wanted)
      ? []
      : [`link ${link.link_id} of ${name} has the weather ${JSON.stringify(has)}, not ${JSON.stringify(wanted)}`];
  });
  if (run === undefined) return links;
  const next = nextChange(weather, run.stepped);
  const time = run.since === null ? run.stepped : Date.now() - run.since;
  const isLate = next !== null && (time > next + LATE_MS || time < run.stepped - LATE_MS);
  const waiting = view
    .ofProject('node', project_id)
    .filter((node) => run.up.includes(node.node_id) && node.state === 'stopped' && node.changed < run.cause);
  return [
    ...links,
    ...(isLate ? [`the weather of ${name} stands still at ${run.stepped} ms`] : []),
    ...waiting.map((node) => `${node.name} was to start again after the weather of ${name}`),
  ];
};

/** Checks are looked at while their lab runs, and a verdict is what a look finds. */
const checkRun = ({ committed, kinds }: Pick<LabContext, 'committed' | 'kinds'>, project: ProjectRecord): string[] => {
  const { name, project_id, state, checks = [] } = project;
  const nodes = committed.ofProject('node', project_id);
  const isRunning = nodes.some(
    (node) => node.state === 'started' && kinds.get(node.kind)?.capabilities.always_on !== true,
  );
  const isWanted = state === 'opened' && checks.length > 0 && isRunning;
  const run = committed.get('run', project_id);
  const isOn = run?.is_over === false;
  if (isOn !== isWanted) return [`the checks of ${name} ${isOn ? 'go on, and nothing runs' : 'are not looked at'}`];
  if (run === undefined || !isOn) return [];
  return checks.flatMap(({ check_id, state: wanted }) => {
    const node = nodes.find(({ node_id }) => node_id === wanted?.node);
    if (wanted === undefined || node === undefined) return [];
    const isMet = node.state === wanted.is;
    return run.verdicts[check_id]?.is_met === isMet
      ? []
      : [`${node.name} of ${name} is ${node.state}, and the check that it is ${wanted.is} says otherwise`];
  });
};
