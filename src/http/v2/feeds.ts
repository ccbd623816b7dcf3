import type { WebSocket } from '@fastify/websocket';
import { z } from 'zod';
import { verdict } from '../../common/forms/check.ts';
import type { Api } from '../api.ts';
import type { Listening } from '../feed/feeds.ts';
import type { Cursor } from '../feed/frame.ts';
import type { Feed } from '../feed/listener.ts';
import { createReader, isRefusal, type Shown, shown } from '../feed/presence.ts';
import { socketSink, streamSink } from '../feed/sink.ts';
import { type Call, type Joining, type Payload, type Route, route, socketRoute } from '../routing/route.ts';
import { keepAlive } from '../routing/web-sockets.ts';
import { badField } from '../server/parameters.ts';
import { computeRecord } from './computes/compute-record.ts';
import { drawingRecord } from './drawings.ts';
import { linkRecord } from './links/schema.ts';
import { nodeRecord } from './nodes/nodes.ts';
import { projectRecord } from './projects/projects.ts';
import { templateRecord } from './templates.ts';

const CURSOR = /^(\d{1,15})(?:\.(\d{1,6}))?$/;
const PROBLEM = 'must be a position, or position.more of a frame that said that more of its position follow';

const cursorOf = (text: string): Cursor | null => {
  const [, position, more = '0'] = CURSOR.exec(text) ?? [];
  return position === undefined ? null : { position: Number(position), more: Number(more) };
};

const sinceQuery = z.object({ since: z.string().regex(CURSOR, PROBLEM).exactOptional() });

/** Cursor that a listener resumes from; null: it starts now. The query goes before the header. */
const readCursor = ({ since }: z.output<typeof sinceQuery>, lastEventId: string | null): Cursor | null => {
  const text = since ?? lastEventId;
  if (text === null) return null;
  const cursor = cursorOf(text);
  if (cursor === null) throw badField('Last-Event-ID', PROBLEM);
  return cursor;
};

const place = {
  position: z.int().meta({ description: 'Of the event in the log' }),
  more: z.int().exactOptional().meta({ description: 'How many frames of the same position follow' }),
};
const frame = <A extends string, E extends z.ZodType>(action: readonly A[], event: E) =>
  z.strictObject({ action: z.enum(action), event, ...place });

const plain = <N extends string>(noun: N) => [`${noun}.created`, `${noun}.updated`, `${noun}.deleted`] as const;

const pair = z.tuple([z.number(), z.number()]);
const listeners = z.strictObject({
  count: z.int(),
  listeners: z.array(
    z.strictObject({ id: z.int(), name: z.string(), address: z.string().nullable(), since: z.string() }),
  ),
  you: z.int().meta({ description: 'The id of who is told' }),
});
const progress = z.strictObject({
  project_id: z.string(),
  what: z.enum(['import', 'export', 'duplicate', 'upload']),
  done: z.int().meta({ description: 'Octets' }),
  of: z.int(),
  left: z.number().nullable().meta({ description: 'Seconds' }),
  ended: z.boolean(),
});
const traffic = z.strictObject({
  seconds: z.number().meta({ description: 'Between the two looks that this is of' }),
  links: z.array(
    z.strictObject({ link_id: z.string(), frames: pair, bytes: pair, dropped: pair, delayed: pair }).meta({
      description: 'A second’s worth, from the first end to the second and back; `delayed` wait at the moment',
    }),
  ),
});

const fileWritten = z.strictObject({
  node_id: z.string().nullable().meta({ description: 'Whose file it is; null: the project’s' }),
  path: z.string(),
  bytes: z.int(),
  sha256: z.string().meta({ description: 'Of its content, which is there as soon as it has this' }),
});

/** A frame of the feeds of the controller group: docs/reference/feeds.md. */
export const feedFrame = z.discriminatedUnion('action', [
  frame([...plain('project'), 'project.opened', 'project.closed'], projectRecord),
  frame(plain('node'), nodeRecord),
  frame(plain('link'), linkRecord),
  frame(['drawing.created', 'drawing.deleted'], drawingRecord),
  frame(['drawing.updated'], drawingRecord.partial({ svg: true })),
  frame(plain('template'), templateRecord),
  frame(plain('compute'), computeRecord),
  frame(['snapshot.restored'], z.strictObject({ project_id: z.string(), snapshot_id: z.string() })),
  frame(['run.begun', 'run.ended'], z.strictObject({ project_id: z.string(), at: z.string() })),
  frame(['check.met', 'check.broken'], verdict.extend({ at: z.string() })),
  frame(['weather.updated'], z.object({ project_id: z.string(), at: z.string() })),
  frame(['log.error', 'log.warning', 'log.info'], z.strictObject({ message: z.string() })),
  frame(['project.listeners'], listeners),
  frame(['listener.updated'], shown.extend({ id: z.int().meta({ description: 'Of the listener that shows it' }) })),
  frame(['link.traffic'], traffic),
  frame(['file.written'], fileWritten),
  frame(['project.progress'], progress),
  frame(['ping'], z.strictObject({ cpu_usage_percent: z.number(), memory_usage_percent: z.number() })),
  frame(['reload'], z.strictObject({ reason: z.string() })),
]);

/** A frame of the feed of the compute group: an event is the record of the node's kind. */
export const computeFrame = z.strictObject({
  action: z.string(),
  event: z.looseObject({}),
  ...place,
  project_id: z.string().nullable(),
});

const PROJECT = '/v2/projects/{project_id}/notifications';
const FRAMES =
  'frames {action, event, position} as JSON; ?since or Last-Event-ID resume after a position (docs/reference/feeds.md)';
const STREAM = {
  code: 200,
  type: 'application/json',
  frames: feedFrame,
  description: `A line each, without an end: ${FRAMES}`,
} as const;
const SOCKET = { code: 101, frames: feedFrame, description: `A WebSocket: ${FRAMES}` } as const;

/**
 * `live`: what is no event as well; `as`: who listens, for the others, where nobody is asked; `seat` and `beside`: windows of the same
 * person, counted once.
 */
const liveQuery = sinceQuery.extend({ live: z.enum(['true', 'false']).exactOptional() });
const seat = z.string().regex(/^[\w-]{1,64}$/, 'must have 1 to 64 letters, digits, - or _');
const projectQuery = liveQuery.extend({
  as: z
    .string()
    .regex(/^[^\p{C}]{1,64}$/u, 'must have 1 to 64 characters that can be seen')
    .exactOptional(),
  seat: seat.exactOptional(),
  beside: seat.exactOptional(),
});

/** The writer closes a project with auto_close when nobody listens any more: so it has to have its listeners. */
const isUnattended =
  (api: Api) =>
  ({ project_id = '' }: Readonly<Record<string, string>>): boolean =>
    api.records.get('project', project_id)?.auto_close !== true;

/** Feeds of what happens, as an endless answer and as a WebSocket. */
export const feedRoutes = (api: Api): Route[] => [
  route('GET', '/v2/notifications', {
    anyServer: true,
    summary: 'What happens to projects, templates and computes, a line each',
    query: liveQuery,
    success: STREAM,
    errors: [400, 429],
    handler: (call) => stream(api, toServer('controller', call), call.signal),
  }),
  route('GET', PROJECT, {
    anyServer: isUnattended(api),
    summary: 'What happens in a project, a line each; with auto_close it closes after the last listener has left',
    query: projectQuery,
    success: STREAM,
    errors: [400, 404, 429],
    handler: (call) => stream(api, toProject(api, call), call.signal),
  }),
  socketRoute('/v2/notifications/ws', {
    anyServer: true,
    summary: 'What happens to projects, templates and computes',
    query: liveQuery,
    success: SOCKET,
    errors: [400, 429],
    socket: (call) => socket(api, toServer('controller', call)),
  }),
  socketRoute(`${PROJECT}/ws`, {
    anyServer: isUnattended(api),
    summary: 'What happens in a project; with auto_close it closes after the last listener has left',
    query: projectQuery,
    success: SOCKET,
    errors: [400, 404, 429],
    socket: (call) => socket(api, toProject(api, call)),
  }),
  socketRoute('/v2/compute/notifications/ws', {
    summary: 'What happens to the nodes of every project, in the records of the compute group',
    query: sinceQuery,
    success: { ...SOCKET, frames: computeFrame },
    errors: [400, 429],
    socket: (call) => socket(api, toServer('compute', call)),
  }),
];

type Since = z.output<typeof sinceQuery> & { live?: 'true' | 'false' };

const toServer = (
  kind: 'controller' | 'compute',
  { query, lastEventId, caller: { by } }: Call<object, Since>,
): Listening => ({
  feed: { kind, project_id: null },
  cursor: readCursor(query, lastEventId),
  visitor: { name: by.principal, address: by.address, seat: null, beside: null },
  wantsLive: query.live === 'true',
});

/** The feed of a project, be it open or closed. */
const toProject = (
  api: Api,
  { params, query, lastEventId, caller: { by } }: Call<{ project_id: string }, z.output<typeof projectQuery>>,
): Listening => {
  const feed: Feed = { kind: 'project', project_id: api.find.project(params.project_id).project_id };
  // Where nobody is asked who they are, they may say so themselves.
  const name = api.access?.users?.areAsked() === true ? by.principal : (query.as ?? by.principal);
  return {
    feed,
    cursor: readCursor(query, lastEventId),
    visitor: { name, address: by.address, seat: query.seat ?? null, beside: query.beside ?? null },
    wantsLive: query.live === 'true',
  };
};

const stream = (api: Api, listening: Listening, signal: AbortSignal): Payload => {
  const release = api.feeds.admit();
  const { sink, stream } = streamSink();
  const { leave } = api.feeds.join(listening, sink);
  const end = (): void => {
    leave();
    release();
    stream.end();
  };
  stream.once('close', end);
  // The client has gone, or the server closes.
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  return { stream, type: STREAM.type };
};

const socket = (api: Api, listening: Listening): Joining => {
  const leaving = [api.feeds.admit()];
  return {
    join: (socket, below) => {
      const { leave, show } = api.feeds.join(listening, socketSink(socket, below));
      leaving.push(keepAlive(socket, api.limits.pingMs), leave);
      const { project_id } = listening.feed;
      if (listening.wantsLive && project_id !== null) hear(socket, (shown) => show(allowed(api, project_id, shown)));
    },
    leave: () => {
      for (const leave of leaving.splice(0)) leave();
    },
  };
};

/** Reads messages of a listener, up to one that is refused. */
const hear = (socket: WebSocket, show: (shown: Shown) => void): void => {
  const read = createReader();
  const take = (data: Buffer): void => {
    const message = read(data);
    if (!isRefusal(message)) return show(message);
    socket.off('message', take);
    socket.close(message.code, message.reason);
  };
  socket.on('message', take);
};

/** Leaves out moved objects where the project is not open. */
const allowed = ({ records }: Api, projectId: string, shown: Shown): Shown =>
  records.get('project', projectId)?.state === 'opened' ? shown : { ...shown, moving: [] };
