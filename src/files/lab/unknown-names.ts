import { type CheckForm, type LinkName, renamed } from '../../common/forms/check.ts';
import type { WeatherForm } from '../../common/forms/weather.ts';
import { endOf } from './ends.ts';

/** With their places in the text. */
interface Lessons {
  checks: readonly (readonly [number, CheckForm])[];
  weather: readonly (readonly [number, WeatherForm])[];
}

interface Unknown {
  path: PropertyKey[];
  problem: string;
}

/** What checks and weather of a text name without its being there. Ids are left to who knows them. */
export const unknownNames = (nodes: ReadonlySet<string>, { checks, weather }: Lessons): Unknown[] => {
  const found: Unknown[] = [];
  const node = (path: PropertyKey[], name: string): void => {
    if (!nodes.has(name) && !ID.test(name))
      found.push({ path, problem: `names ${name}, which is no node of this lab` });
  };
  const link = (path: PropertyKey[], given: LinkName): void => {
    for (const end of [given].flat()) if (!nodes.has(end)) node(path, endOf(end).node);
  };
  for (const [i, check] of checks)
    renamed(check, {
      node: (name) => (node(['checks', i], name), name),
      link: (name) => (link(['checks', i], name), name),
    });
  for (const [i, { links = [], crash = [] }] of weather) {
    for (const name of links) link(['weather', i, 'links'], name);
    for (const name of crash) node(['weather', i, 'crash'], name);
  }
  return found;
};

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
