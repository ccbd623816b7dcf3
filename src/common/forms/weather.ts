import { z } from 'zod';
import { LENGTHS, MOST } from '../bounds.ts';
import { duration } from './duration.ts';
import { writtenFilters } from './filters.ts';
import { JSON_RULES, part } from './property-text.ts';

/**
 * One disturbance of a lab, in a lab's text and in the interface: when it happens, and what it does. Times count from the start of the
 * weather.
 */

/** Most steps of a ramp, and points of a trace. */
const MOST_LEVELS = 1_000;
const MOST_POINTS = 2_000;
/** Shortest duration of anything that repeats, as each repetition is an event. Milliseconds. */
const SHORTEST_MS = 50;

const word = z.string().min(1).max(LENGTHS.name);
const lasting = duration
  .refine((ms) => ms >= SHORTEST_MS, `must be at least ${SHORTEST_MS}ms`)
  .register(JSON_RULES, {
    not: {
      anyOf: [
        { type: 'string', pattern: String.raw`^0*(?:[0-4]?\d(?:\.\d+)?ms|0(?:\.0+)?[smh])$` },
        { type: 'number', exclusiveMaximum: SHORTEST_MS / 1_000 },
      ],
    },
  });

/** A link: its ends as in a lab's text (`[PC1:0, SW1:3]`, without ports where the nodes have one link), one of its ends, or its link_id. */
const link = z.union([z.tuple([word, word]), word]);
const links = part(z.array(link).min(1).max(MOST.link), 'Links', 'By their ends or link_id; absent: all links.');

const ramp = z.strictObject({
  from: part(writtenFilters.exactOptional(), 'From', 'Filters at its beginning; absent: their values are 0.'),
  to: part(writtenFilters, 'To', 'Filters at its end.'),
  steps: part(z.int().min(1).max(MOST_LEVELS).default(10), 'Steps', 'Changes on the way, at equal distances.'),
});
const flap = z.strictObject({
  down: part(lasting, 'Down', 'How long the link is cut each time.'),
  up: part(lasting, 'Up', 'How long it is whole in between.'),
});
const repeat = z.strictObject({
  every: part(lasting, 'Every', 'From one beginning to the next.'),
  times: part(
    z.int().min(1).max(1_000_000).exactOptional(),
    'Times',
    'Altogether; absent: until the weather is ended.',
  ),
});
/** One point of a trace: its time and its values; without a value there is no such filter. */
const point = z.strictObject({
  time: part(z.number().nonnegative(), 'Time', 'From the beginning of the trace.', 's'),
  rate: part(z.number().nonnegative().exactOptional(), 'Rate', 'Of the link.', 'kbit/s'),
  delay: part(z.number().nonnegative().exactOptional(), 'Delay', 'Of each frame.', 'ms'),
  loss: part(z.number().min(0).max(100).exactOptional(), 'Loss', 'Chance of each frame.', '%'),
});
const trace = z
  .strictObject({
    file: part(word.exactOptional(), 'File', 'A text of CSV beside that of the lab: time,rate,delay,loss.'),
    csv: part(z.string().max(LENGTHS.content).exactOptional(), 'CSV', 'What such a file says.'),
    points: part(z.array(point).min(1).max(MOST_POINTS).exactOptional(), 'Points', 'The same, read.'),
  })
  .register(JSON_RULES, { minProperties: 1 });
export type TracePoint = z.infer<typeof point>;

const WHAT = ['filters', 'ramp', 'suspend', 'flap', 'trace', 'crash'] as const;

const shape = {
  name: part(word.exactOptional(), 'Name', 'Of a storm: checks say during which they hold.'),
  at: part(duration.default(0), 'At', 'When it begins, from the start of the weather.'),
  for: part(
    lasting.exactOptional(),
    'For',
    'How long it lasts; absent: as long as its trace, or until the weather ends.',
  ),
  repeat: part(repeat.exactOptional(), 'Repeat', 'It comes again and again.'),
  links: links.exactOptional(),
  filters: part(writtenFilters.exactOptional(), 'Filters', 'That its links have, over their own.'),
  ramp: part(ramp.exactOptional(), 'Ramp', 'Filters whose values change evenly.'),
  suspend: part(z.literal(true).exactOptional(), 'Cut', 'Nothing passes its links.'),
  flap: part(flap.exactOptional(), 'Flap', 'Its links go down and up.'),
  trace: part(trace.exactOptional(), 'Trace', 'Rate, delay and loss, as they were measured.'),
  crash: part(
    z.array(word).min(1).max(MOST.node).exactOptional(),
    'Crash',
    'Nodes by name or node_id: they end as by a crash, and start again.',
  ),
};

type Given = z.output<z.ZodObject<typeof shape>>;

/** Checks an entry whose fields are valid by themselves; returns a field and what is wrong with it. */
const wrong = (entry: Given): [string, string] | null => {
  const { links, repeat, for: lasts } = entry;
  const [what, more] = WHAT.filter((key) => entry[key] !== undefined);
  if (what === undefined) return ['filters', `must be there, or one of ${WHAT.slice(1).join(', ')}`];
  if (more !== undefined) return [more, `must not stand beside ${what}`];
  if (what === 'crash' && links !== undefined) return ['links', 'must not stand beside crash'];
  if ((what === 'ramp' || what === 'flap') && lasts === undefined)
    return ['for', `must say how long the ${what} lasts`];
  if (repeat !== undefined && lasts === undefined && what !== 'trace') return ['for', 'must say how long it lasts'];
  if (repeat !== undefined && lasts !== undefined && repeat.every < lasts)
    return ['repeat', 'must not be more often than it lasts'];
  if (entry.trace !== undefined && Object.keys(entry.trace).length === 0)
    return ['trace', 'must have a file, csv or points'];
  return null;
};

/** Parsed, durations are milliseconds. */
export const weatherForm = z
  .strictObject(shape)
  .superRefine((entry, context) => {
    const found = wrong(entry);
    if (found !== null) context.addIssue({ code: 'custom', path: [found[0]], message: found[1] });
  })
  .register(JSON_RULES, {
    oneOf: WHAT.map((key) => ({ required: [key] })),
    not: { required: ['links', 'crash'] },
    dependentRequired: { ramp: ['for'], flap: ['for'] },
    dependentSchemas: { repeat: { anyOf: [{ required: ['for'] }, { required: ['trace'] }] } },
  });
export type WeatherForm = z.output<typeof weatherForm>;
