import { z } from 'zod';
import { ENTRY_KINDS } from '../../../projections/past/timeline/kinds.ts';
import { OWN_LANES } from '../../../projections/past/timeline/overview.ts';
import type { Api } from '../../api.ts';
import { json, type Route, route } from '../../routing/route.ts';
import { digits, filledLine } from '../schema.ts';
import { known } from './events.ts';

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

const overviewQuery = z.object({
  ...filter,
  buckets: digits(9, 1, 2000).exactOptional(),
  single: digits(9, 0, 1000).exactOptional(),
});

const entriesQuery = z.object({
  ...filter,
  order: z.enum(['asc', 'desc']).exactOptional(),
  offset: digits(9, 0, 999_999_999).exactOptional(),
  limit: digits(9, 1, 500).exactOptional(),
});

const objectsQuery = z.object({ limit: digits(9, 1, 5000).exactOptional() });

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

const PROJECT = '/v2/projects/{project_id}';
const BUCKETS = 400;
const SINGLE = 300;
const PAGE = 100;
const OBJECTS = 1000;

/** Events of a project for a timeline, answered from an index: the log itself is not walked, however long it is. */
export const timeLineRoutes = (api: Api): Route[] => [
  route('GET', `${PROJECT}/timeline`, {
    anyServer: true,
    summary: 'What happened in a span of time, counted by lanes; one by one where it is little',
    query: overviewQuery,
    success: { code: 200, schema: overview },
    errors: [400, 404],
    handler: async ({ params: { project_id }, query }) => {
      await known(api, project_id);
      return json(await api.timeReader.overview(project_id, { buckets: BUCKETS, single: SINGLE, ...query }));
    },
  }),
  route('GET', `${PROJECT}/timeline/entries`, {
    anyServer: true,
    summary: 'What happened, entry by entry, with the names of that time; pages by `offset` and `limit`',
    query: entriesQuery,
    success: { code: 200, schema: entriesPage },
    errors: [400, 404],
    handler: async ({ params: { project_id }, query }) => {
      await known(api, project_id);
      return json(await api.timeReader.entries(project_id, { order: 'asc', offset: 0, limit: PAGE, ...query }));
    },
  }),
  route('GET', `${PROJECT}/timeline/objects`, {
    anyServer: true,
    summary: 'Nodes, links, drawings and snapshots that anything happened to, deleted ones as well, the newest first',
    query: objectsQuery,
    success: { code: 200, schema: z.array(namedObject) },
    errors: [400, 404],
    handler: async ({ params: { project_id }, query }) => {
      await known(api, project_id);
      return json(await api.timeReader.objects(project_id, query.limit ?? OBJECTS));
    },
  }),
];
