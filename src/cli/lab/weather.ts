import type { Client, Schemas } from '../../client/index.ts';
import { duration } from '../../common/forms/duration.ts';
import { invalid, type TopologError } from '../../common/errors.ts';
import { suggestionText } from '../../common/forms/suggestions.ts';
import { type Named, pick } from '../names.ts';
import { wrongUsage } from '../command.ts';
import { type Asked, type Done, labCommandWith } from '../lab-command.ts';
import { linksIn, nodesIn, projectsOf } from '../objects.ts';

type Weather = Schemas['Weather'];
type Entry = Schemas['WeatherEntry'];

const WEATHER = '/v2/projects/{project_id}/weather';
const VERBS = ['ls', 'start', 'pause', 'resume', 'skip', 'end'] as const;
type Verb = (typeof VERBS)[number];
const isVerb = (word: string): word is Verb => (VERBS as readonly string[]).includes(word);

const FLAGS = { seed: { type: 'string' }, paused: { type: 'boolean' } } as const;

export const weatherCommand = labCommandWith(
  FLAGS,
  {
    usage: 'weather [ls|start|pause|resume|skip|end] PROJECT [TO]',
    counts: [1, 3],
    does: `What happens to a lab, and when: filters on links, cuts, crashes.

  ls PROJECT         its state, what it does now, and everything that is scheduled
  start PROJECT      start at its beginning; --seed N: another seed for what is random; --paused: with its clock stopped
  pause PROJECT      stop its clock; what it does now stays
  resume PROJECT     let its clock go on
  skip PROJECT [TO]  go on to a time (90s), to the start of a storm (its name), or to the next change
  end PROJECT        end it: links get their own filters back, and crashed nodes start`,
  },
  async (asked) => {
    const [first = '', ...more] = asked.wanted;
    if (!isVerb(first) && more.length > 0) throw noVerb(first);
    const [verb, [name = '', to]]: [Verb, string[]] = isVerb(first) ? [first, more] : ['ls', [first, ...more]];
    if (name === '' || (to !== undefined && verb !== 'skip'))
      throw wrongUsage(`weather ${verb} PROJECT${verb === 'skip' ? ' [TO]' : ''}`);
    const project = pick('project', await projectsOf(asked.client), name);
    const at = { path: { project_id: project.id } };
    const state = await act(asked, verb, at, to);
    return done(asked.client, project, state);
  },
);

const noVerb = (given: string): TopologError => {
  const [last] = VERBS.slice(-1);
  const meant = suggestionText(given, VERBS);
  return invalid(`topolog weather takes ${VERBS.slice(0, -1).join(', ')} or ${last}, not ${given}${meant}`);
};

type At = { path: { project_id: string } };

const act = ({ client, flags }: Asked<typeof FLAGS>, verb: Verb, at: At, to?: string): Promise<Weather> => {
  const { seed, paused } = flags;
  if (verb === 'ls') return client.get(WEATHER, at);
  if (verb === 'start') {
    if (seed !== undefined && !/^\d+$/.test(seed)) throw invalid(`--seed must be a whole number, not ${seed}`);
    const body = { ...(seed === undefined ? {} : { seed: Number(seed) }), ...(paused === true ? { paused } : {}) };
    return client.post(`${WEATHER}/start`, { ...at, body });
  }
  if (verb !== 'skip') return client.post(`${WEATHER}/${verb}`, { ...at, body: {} });
  const isTime = duration.safeParse(to).success;
  return client.post(`${WEATHER}/skip`, { ...at, body: to === undefined ? {} : isTime ? { to } : { storm: to } });
};

const done = async (client: Client, project: Parameters<typeof nodesIn>[1], weather: Weather): Promise<Done> => {
  const nodes = await nodesIn(client, project);
  const links = await linksIn(client, project, nodes);
  const nameOf = (things: readonly Named[], wanted: string): string => {
    const names = things.find(({ id }) => id === wanted)?.names;
    return names?.[1] ?? wanted;
  };
  const link = (id: string): string => nameOf(links, id);
  const node = (id: string): string => nameOf(nodes, id);
  return {
    records: weather,
    rows: [
      stateRow(weather),
      ...weather.links.map((its) => ['', link(its.link_id), its.suspend ? 'cut' : JSON.stringify(its.filters)]),
      ...weather.down.map((id) => ['', node(id), 'down']),
      ...weather.entries.map((entry) => entryRow(entry, { link, node })),
    ],
  };
};

/** Present time of the weather in seconds. */
const timeOf = ({ time, since, next }: Weather): number => {
  const now = since === null ? (time ?? 0) : (Date.now() - Date.parse(since)) / 1000;
  return Number(Math.min(now, next ?? Infinity).toFixed(1));
};

const stateRow = (weather: Weather): string[] => {
  const { state, seed, next, storms } = weather;
  return state === 'off'
    ? ['weather', 'off']
    : [
        'weather',
        state,
        `at ${timeOf(weather)} s`,
        next === null ? 'nothing more' : `next at ${next} s`,
        `seed ${seed ?? 0}`,
        storms.join(', '),
      ];
};

interface Naming {
  link: (id: string) => string;
  node: (id: string) => string;
}

const entryRow = (entry: Entry, { link, node }: Naming): string[] => {
  const { name = '', at, for: lasts, repeat, links, crash } = entry;
  const times = repeat?.times === undefined ? '' : `, ${repeat.times} times`;
  const when = `${lasts === undefined ? '' : ` for ${lasts}`}${repeat === undefined ? '' : ` every ${repeat.every}${times}`}`;
  const on = crash === undefined ? (links?.map(link) ?? ['all links']) : crash.map(node);
  return [name === '' ? '-' : name, `${at}${when}`, on.join(' '), whatOf(entry)];
};

const whatOf = ({ filters, ramp, suspend, flap, trace }: Entry): string => {
  if (filters !== undefined) return JSON.stringify(filters);
  if (ramp !== undefined) return `${JSON.stringify(ramp.from ?? {})} to ${JSON.stringify(ramp.to)} in ${ramp.steps}`;
  if (trace !== undefined) return `${trace.file ?? 'trace'}: ${trace.points.length} points`;
  if (flap !== undefined) return `down ${flap.down}, up ${flap.up}`;
  return suspend === true ? 'cut' : 'crash';
};
