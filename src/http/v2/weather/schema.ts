import { z } from 'zod';
import { MOST_ITEMS } from '../../../common/bounds.ts';
import { duration } from '../../../common/forms/duration.ts';
import { part } from '../../../common/forms/property-text.ts';
import { LARGEST_SEED } from '../../../common/forms/seed.ts';
import { weatherForm } from '../../../common/forms/weather.ts';
import { input, name, uuid } from '../schema.ts';

const weather_id = part(uuid.exactOptional(), 'Weather', 'Never changes; absent: a new one.');

/** One entry, as a lab's text has it. */
export const weatherBody = weatherForm.safeExtend({ weather_id });

export const weatherListBody = input(
  { entries: part(z.array(weatherBody).max(MOST_ITEMS), 'Entries', 'All that is to happen, in any order.') },
  ['project_id', 'state', 'seed', 'time', 'since', 'next', 'storms', 'links', 'down'],
);

export const startBody = z.strictObject({
  seed: part(
    z.int().min(1).max(LARGEST_SEED).exactOptional(),
    'Seed',
    'Of what happens at random; absent: that of the project, or 1.',
  ),
  paused: part(z.boolean().exactOptional(), 'Paused', 'Its time stands still until it is resumed.'),
});

export const skipBody = z
  .strictObject({
    to: part(duration.exactOptional(), 'To', 'Time of the weather.'),
    storm: part(name.exactOptional(), 'Storm', 'To where the storm of this name begins next.'),
  })
  .refine(({ to, storm }) => to === undefined || storm === undefined, 'must have to or storm, not both');

const time = z.string().meta({ description: 'A duration, such as 10s' });
const filters = z.record(z.string(), z.array(z.union([z.number(), z.string()])));
const point = z.strictObject({
  time: z.number(),
  rate: z.number().exactOptional(),
  delay: z.number().exactOptional(),
  loss: z.number().exactOptional(),
});

export const weatherRecord = z.strictObject({
  weather_id: z.string(),
  name: z.string().exactOptional(),
  at: time,
  for: time.exactOptional(),
  repeat: z.strictObject({ every: time, times: z.int().exactOptional() }).exactOptional(),
  links: z.array(z.string()).exactOptional(),
  filters: filters.exactOptional(),
  ramp: z.strictObject({ from: filters.exactOptional(), to: filters, steps: z.int() }).exactOptional(),
  suspend: z.literal(true).exactOptional(),
  flap: z.strictObject({ down: time, up: time }).exactOptional(),
  trace: z.strictObject({ file: z.string().exactOptional(), points: z.array(point) }).exactOptional(),
  crash: z.array(z.string()).exactOptional(),
});

export const weatherState = z.strictObject({
  project_id: z.string(),
  state: z.enum(['off', 'on', 'paused']),
  seed: z.int().nullable().meta({ description: 'Of what happens at random; null: it is off' }),
  time: z.number().nullable().meta({ description: 'Its time at its last event, in seconds; null: it is off' }),
  since: z.string().nullable().meta({ description: 'When its time was 0, ISO time; null: it is off or paused' }),
  next: z
    .number()
    .nullable()
    .meta({ description: 'When something changes next, on its time in seconds; null: it is off, or nothing does' }),
  storms: z.array(z.string()).meta({ description: 'Names of what is there' }),
  links: z
    .array(z.strictObject({ link_id: z.string(), filters, suspend: z.boolean() }))
    .meta({ description: 'What it does to links, over what they have of their own' }),
  down: z.array(z.string()).meta({ description: 'Nodes that it has ended, and starts again' }),
  entries: z.array(weatherRecord),
});
