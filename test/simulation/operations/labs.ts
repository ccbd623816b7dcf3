import type { WeatherInput } from '../../../src/actors/commands.ts';
import type { CheckForm } from '../../../src/common/forms/check.ts';
import { type Chooser, nodeOf, pick } from './links.ts';
import type { Operation } from './operations.ts';

/** What happens to a lab as a whole: what was is put back, weather, checks, and what its nodes are configured with. */

/** Not to the home of the clients' own things: nobody else changes those. */
export const putBack: Chooser = ({ world, home }, { project_id, created, changed }) => {
  if (project_id === home) return null;
  const at = String(created + world.random.below(changed - created + 1));
  return pick<Operation>(world, [
    { what: 'undo', run: (c, by) => c.undo(by, project_id) },
    { what: 'undo', run: (c, by) => c.undo(by, project_id) },
    { what: 'redo', run: (c, by) => c.redo(by, project_id) },
    { what: `restore ${at}`, run: (c, by) => c.restore(by, project_id, { at }) },
  ]);
};

/** Longest of a weather: it is over, or as it stays, before everything is looked at. Milliseconds. */
const LONGEST_MS = 20_000;

export const weather: Chooser = (choice, project) => {
  const { world, name } = choice;
  const { project_id, weather_run: run } = project;
  if (run !== undefined && world.chance(0.5))
    return pick<Operation>(world, [
      { what: 'end weather', run: (c, by) => c.endWeather(by, project_id), events: ['weather.ended'] },
      { what: 'pause weather', run: (c, by) => c.pauseWeather(by, project_id) },
      { what: 'resume weather', run: (c, by) => c.resumeWeather(by, project_id) },
      { what: 'skip weather', run: (c, by) => c.skipWeather(by, project_id), events: ['weather.stepped'] },
    ]);
  if (run === undefined && (project.weather ?? []).length > 0 && world.chance(0.7))
    return { what: 'start weather', run: (c, by) => c.startWeather(by, project_id, {}), events: ['weather.started'] };
  const node = nodeOf(choice, project);
  const at = world.random.below(LONGEST_MS / 4);
  const lasts = 100 + world.random.below(LONGEST_MS / 4);
  const entry = pick<WeatherInput>(world, [
    { at, for: lasts, suspend: true, name: name() },
    { at, filters: { packet_loss: [50] } },
    { at, for: lasts, ramp: { to: { delay: [100] }, steps: 3 } },
    { at, for: 100, filters: { delay: [10] }, repeat: { every: LONGEST_MS / 4, times: 3 } },
    { at, for: lasts, crash: [node?.node_id ?? ''] },
  ]);
  return { what: `weather ${JSON.stringify(entry)}`, run: (c, by) => c.setWeather(by, project_id, [entry]) };
};

export const check: Chooser = (choice, project) => {
  const { world, records } = choice;
  const { project_id } = project;
  const node = nodeOf(choice, project);
  const there = world.random.pick(project.checks ?? []);
  if (there !== undefined && world.chance(0.5)) {
    const { check_id } = there;
    return { what: 'delete check', run: (c, by) => c.deleteCheck(by, { project_id, check_id }) };
  }
  const link = world.random.pick(records.ofProject('link', project_id));
  const form: CheckForm =
    link !== undefined && world.chance(0.3)
      ? { counter: { link: link.link_id, of: 'frames', under: 1 } }
      : { state: { node: node?.node_id ?? '', is: pick(world, ['started', 'stopped', 'suspended']) } };
  if (there === undefined)
    return { what: `check ${JSON.stringify(form)}`, run: (c, by) => c.createCheck(by, project_id, form) };
  const { check_id } = there;
  return { what: 'update check', run: (c, by) => c.updateCheck(by, { project_id, check_id }, form) };
};

export const collect: Chooser = (_, { project_id }) => ({
  what: 'collect configurations',
  run: (c, by) => c.collectConfigs(by, project_id, null),
});
