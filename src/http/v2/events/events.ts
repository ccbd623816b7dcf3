import { Readable } from 'node:stream';
import { notFound } from '../../../common/errors.ts';
import { type HistoryPage, type HistoryQuery, PAGE_SIZE, type Past } from '../../../projections/past/past.ts';
import type { Api } from '../../api.ts';
import { jsonList, jsonText, LINES, type Payload, type Route, route } from '../../routing/route.ts';
import { z } from 'zod';
import { filledLine, digits } from '../schema.ts';
import { line } from '../../../model/types.ts';

const moment = filledLine;
const time = z.iso.datetime({ offset: true, error: 'must be an ISO time' });

/** Which events are wanted. `from` and `to` are positions; `type` is one or more, with commas, `node.` for all of a noun. */
export const eventsQuery = z.object({
  from: digits(15, 0, Number.MAX_SAFE_INTEGER).exactOptional(),
  to: digits(15, 0, Number.MAX_SAFE_INTEGER).exactOptional(),
  since: time.exactOptional(),
  until: time.exactOptional(),
  type: line.exactOptional(),
  node: line.exactOptional(),
  link: line.exactOptional(),
  drawing: line.exactOptional(),
  principal: line.exactOptional(),
  request: line.exactOptional(),
  limit: digits(15, 1, 1000).exactOptional(),
});
export type EventsQuery = z.output<typeof eventsQuery>;
const diffQuery = z.object({ from: moment, to: moment });
export const objectDiff = z.strictObject({
  collection: z.enum(['project', 'node', 'link', 'drawing', 'snapshot']),
  id: z.string(),
  name: z.string().nullable(),
  change: z.enum(['added', 'removed', 'changed']),
  fields: z.array(z.strictObject({ field: z.string(), from: z.unknown(), to: z.unknown() })),
});
/** An event as it is stored: docs/reference/log.md. */
export const event = z.looseObject({
  position: z.int(),
  project_id: z.string().nullable(),
  version: z.int(),
  type: z.string(),
  v: z.int(),
  at: z.string(),
  by: z.looseObject({ principal: z.string(), address: z.string().nullable(), agent: z.string().nullable() }),
  request_id: z.string().nullable(),
  cause: z.int().nullable(),
  data: z.looseObject({}),
  prev: z.string(),
  hash: z.string(),
});
export const eventsPage = z.strictObject({ events: z.array(event), next: z.int().nullable() });
export const historyPage = z.strictObject({
  events: z.array(event.extend({ causes: z.array(event) })),
  next: z.int().nullable(),
});

const PAGE = 100;
const STREAM_PAGE = 1000;
const description = `One page, oldest first; with Accept: ${LINES} all of them as stored, a line each`;

export const eventRoutes = (api: Api): Route[] => [
  route('GET', '/v2/projects/{project_id}/events', {
    anyServer: true,
    summary: 'Events of a project, refused requests included; also of a deleted one',
    query: eventsQuery,
    success: { code: 200, schema: eventsPage, description, lines: true },
    errors: [400, 404],
    handler: async ({ params: { project_id }, query, accept }) => {
      await known(api, project_id);
      return events(api.past, { ...wanted(query), project_id }, query.limit, accept);
    },
  }),
  route('GET', '/v2/events', {
    anyServer: true,
    group: 'server',
    summary: 'Events of the whole server',
    query: eventsQuery,
    success: { code: 200, schema: eventsPage, description, lines: true },
    errors: [400],
    handler: ({ query, accept }) => events(api.past, wanted(query), query.limit, accept),
  }),
  route('GET', '/v2/projects/{project_id}/diff', {
    anyServer: true,
    summary: 'What changed between two moments, object by object',
    query: diffQuery,
    success: { code: 200, schema: z.array(objectDiff) },
    errors: [400, 404],
    handler: async ({ params: { project_id }, query }) => {
      await known(api, project_id);
      return jsonList(await api.past.diff(project_id, query.from, query.to), (one) => JSON.stringify(one));
    },
  }),
  ...(['node', 'link', 'drawing'] as const).map((what) => historyRoute(api, what)),
];

const historyRoute = (api: Api, what: 'node' | 'link' | 'drawing'): Route =>
  route('GET', `/v2/projects/{project_id}/${what}s/{${what}_id}/history`, {
    anyServer: true,
    summary: `Events of a ${what}, each with what caused it: who, when and why; also of a deleted one`,
    query: eventsQuery,
    success: { code: 200, schema: historyPage, description, lines: true },
    errors: [400, 404],
    handler: async ({ params, query, accept }) => {
      const object = (params as Record<string, string>)[`${what}_id`] ?? '';
      const page = await api.past.history({ project_id: params.project_id, object, limit: 1 });
      if (page.texts.length === 0) throw notFound(what, object);
      return objectHistory(api.past, { ...wanted(query), project_id: params.project_id, object }, query.limit, accept);
    },
  });

/** A project is known as long as it has events, deleted or not. */
export const known = async (api: Api, projectId: string): Promise<void> => {
  if (api.records.get('project', projectId) !== undefined) return;
  const { texts } = await api.past.history({ project_id: projectId, limit: 1 });
  if (texts.length === 0) throw notFound('Project', projectId);
};

/** Absent keys stay absent. */
const wanted = ({ type, node, link, drawing, request, limit: _limit, ...query }: EventsQuery): HistoryQuery => {
  const object = node ?? link ?? drawing;
  return {
    ...query,
    ...(type === undefined ? {} : { types: type.split(',') }),
    ...(object === undefined ? {} : { object }),
    ...(request === undefined ? {} : { request_id: request }),
  };
};

/** The stored texts themselves, so that a reader can check their hashes. */
const events = async (past: Past, query: HistoryQuery, limit: number | undefined, accept: string): Promise<Payload> => {
  if (accept.includes(LINES)) return { stream: Readable.from(lines(past, query, limit)), type: LINES };
  const page = await past.history({ ...query, limit: limit ?? PAGE, size: PAGE_SIZE });
  return jsonText(`{"events":[${page.texts.join(',')}],"next":${page.next}}`);
};

async function* lines(past: Past, query: HistoryQuery, most = Infinity): AsyncGenerator<string> {
  let left = most;
  for (let from: number | null = query.from ?? 1; from !== null && left > 0;) {
    const page = await past.history({ ...query, from, limit: Math.min(STREAM_PAGE, left), size: PAGE_SIZE });
    if (page.texts.length > 0) yield `${page.texts.join('\n')}\n`;
    left -= page.texts.length;
    from = page.next;
  }
}

const objectHistory = async (
  past: Past,
  query: HistoryQuery,
  limit: number | undefined,
  accept: string,
): Promise<Payload> => {
  if (accept.includes(LINES)) return { stream: Readable.from(causedLines(past, query, limit)), type: LINES };
  const { texts, next } = await causedPage(past, query, limit ?? PAGE);
  return jsonText(`{"events":[${texts.join(',')}],"next":${next}}`);
};

async function* causedLines(past: Past, query: HistoryQuery, most = Infinity): AsyncGenerator<string> {
  let left = most;
  for (let from: number | null = query.from ?? 1; from !== null && left > 0;) {
    const { texts, next } = await causedPage(past, { ...query, from }, Math.min(PAGE, left));
    if (texts.length > 0) yield texts.map((one) => `${one}\n`).join('');
    left -= texts.length;
    from = next;
  }
}

/** Events with their causes, which are as large as they are. */
const causedPage = async (past: Past, query: HistoryQuery, limit: number): Promise<HistoryPage> => {
  const page = await past.history({ ...query, limit, size: PAGE_SIZE });
  const texts: string[] = [];
  let size = 0;
  for (const text of page.texts) {
    const event = JSON.parse(text) as Parameters<Past['causes']>[0];
    if (size > PAGE_SIZE) return { texts, next: event.position };
    const told = `${text.slice(0, -1)},"causes":${JSON.stringify(await past.causes(event))}}`;
    texts.push(told);
    size += told.length;
  }
  return { texts, next: page.next };
};
