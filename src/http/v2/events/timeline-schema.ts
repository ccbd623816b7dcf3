import { z } from 'zod';
import { ENTRY_KINDS } from '../../../projections/past/timeline/kinds.ts';
import { OWN_LANES } from '../../../projections/past/timeline/overview.ts';
import { filledLine } from '../schema.ts';

const digits = (minimum: number, maximum: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'must be digits only')
    .transform(Number)
    .pipe(z.int().min(minimum).max(maximum));

/** Which entries are wanted. `from` and `to`: positions or ISO times. `text`: words, each of which has to be found. */
const filter = {
  from: filledLine.exactOptional(),
  to: filledLine.exactOptional(),
  kinds: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(ENTRY_KINDS)))
    .exactOptional(),
  person: filledLine.exactOptional(),
  object: filledLine.exactOptional(),
  text: filledLine.exactOptional(),
};

export const overviewQuery = z.object({
  ...filter,
  buckets: digits(1, 2000).exactOptional(),
  single: digits(0, 1000).exactOptional(),
});

export const entriesQuery = z.object({
  ...filter,
  order: z.enum(['asc', 'desc']).exactOptional(),
  offset: digits(0, 999_999_999).exactOptional(),
  limit: digits(1, 500).exactOptional(),
});

export const objectsQuery = z.object({ limit: digits(1, 5000).exactOptional() });

const time = z.int().meta({ description: 'Milliseconds since 1970' });
const kind = z.enum(ENTRY_KINDS);
const collection = z.enum(['node', 'link', 'drawing', 'snapshot']);
const moment = z.strictObject({ at: time, position: z.int() }).nullable();
const indexed = {
  indexed: z.int().meta({ description: 'Events that are in the index; fewer than `of` while it is made' }),
  of: z.int(),
};

const mark = {
  at: time,
  position: z.int().meta({ description: 'Of its first event' }),
  last: z.int().meta({ description: 'Position of its last event' }),
  count: z.int().meta({ description: 'Events of one request that say the same are one entry' }),
  kind,
  person: z.string().meta({ description: 'Who asked for it; `system` where nobody did' }),
  object: z.strictObject({ collection, id: z.string() }).nullable(),
};

export const overview = z.strictObject({
  first: moment,
  last: moment,
  entries: z.int().meta({ description: 'What the filter lets through, of all times' }),
  shown: z.int().meta({ description: 'What of that is in the span' }),
  edges: z.array(z.int()).meta({
    description:
      'Times between which the buckets are, one more than there are; idle time of more than 10 s counts as 10 s',
  }),
  busy: z.int().meta({ description: 'Milliseconds of the span, with idle time cut short' }),
  lanes: z.array(
    z.strictObject({
      lane: z.enum([...OWN_LANES, 'person', 'people']),
      person: z.string().nullable(),
      counts: z.array(z.int()),
    }),
  ),
  gaps: z.array(z.strictObject({ from: time, to: time })).meta({ description: 'The longest idle times, up to 200' }),
  marks: z.array(z.strictObject(mark)).nullable().meta({ description: 'null: there are more than `single`' }),
  snapshots: z
    .array(z.strictObject({ at: time, position: z.int(), id: z.string(), name: z.string() }))
    .meta({ description: 'Made in the span and still there, whatever the filter; up to 200, the newest' }),
  people: z.array(z.strictObject({ name: z.string(), count: z.int() })),
  ...indexed,
});

export const entriesPage = z.strictObject({
  total: z.int(),
  index: z.int().meta({ description: 'How many entries of all times are before the first one of the page' }),
  entries: z.array(
    z.strictObject({
      ...mark,
      type: z.string(),
      name: z.string().nullable().meta({ description: 'What the object was called then' }),
      former: z.string().nullable().meta({ description: 'What it was called before, if that was otherwise' }),
      ends: z.array(z.strictObject({ name: z.string(), port: z.string() })),
      took: z.int().nullable().meta({ description: 'Milliseconds since it was asked for' }),
      data: z.looseObject({}).meta({ description: 'Of the first event; long texts and lists are cut' }),
    }),
  ),
  ...indexed,
});

export const namedObject = z.strictObject({ collection, id: z.string(), name: z.string().nullable() });
