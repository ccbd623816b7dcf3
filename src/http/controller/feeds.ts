import type { Api } from '../api.ts';
import { readCursor, sinceQuery } from '../feed/cursor.ts';
import type { Feed } from '../feed/listener.ts';
import { socketSink, streamSink } from '../feed/sink.ts';
import { keepAlive } from '../console-socket.ts';
import { type Joining, type Payload, type Route, route, socketRoute } from '../route.ts';
import type { Cursor } from '../feed/cursor.ts';
import { computeFrame, feedFrame } from '../schemas/frame.ts';

const PROJECT = '/v2/projects/{project_id}/notifications';
const FRAMES =
  'frames {action, event, position} as JSON; ?since or Last-Event-ID resume after a position (docs/feeds.md)';
const STREAM = {
  code: 200,
  type: 'application/json',
  frames: feedFrame,
  description: `A line each, without an end: ${FRAMES}`,
} as const;
const SOCKET = { code: 101, frames: feedFrame, description: `A WebSocket: ${FRAMES}` } as const;

/** Feeds of what happens, as an endless answer and as a WebSocket. */
export const feedRoutes = (api: Api): Route[] => [
  route({
    method: 'GET',
    path: '/v2/notifications',
    group: 'controller',
    summary: 'What happens to projects, templates and computes, a line each',
    query: sinceQuery,
    success: STREAM,
    errors: [400, 429],
    handler: ({ query, lastEventId, signal }) =>
      stream(api, ofServer('controller'), readCursor(query, lastEventId), signal),
  }),
  route({
    method: 'GET',
    path: PROJECT,
    group: 'controller',
    summary: 'What happens in a project, a line each; with auto_close it closes after the last listener has left',
    params: ['project_id'],
    query: sinceQuery,
    success: STREAM,
    errors: [400, 404, 429],
    handler: ({ params, query, lastEventId, signal }) =>
      stream(api, ofProject(api, params.project_id), readCursor(query, lastEventId), signal),
  }),
  socketRoute({
    method: 'GET',
    path: '/v2/notifications/ws',
    group: 'controller',
    summary: 'What happens to projects, templates and computes',
    query: sinceQuery,
    success: SOCKET,
    errors: [400, 429],
    socket: ({ query, lastEventId }) => socket(api, ofServer('controller'), readCursor(query, lastEventId)),
  }),
  socketRoute({
    method: 'GET',
    path: `${PROJECT}/ws`,
    group: 'controller',
    summary: 'What happens in a project; with auto_close it closes after the last listener has left',
    params: ['project_id'],
    query: sinceQuery,
    success: SOCKET,
    errors: [400, 404, 429],
    socket: ({ params, query, lastEventId }) =>
      socket(api, ofProject(api, params.project_id), readCursor(query, lastEventId)),
  }),
  socketRoute({
    method: 'GET',
    path: '/v2/compute/notifications/ws',
    group: 'compute',
    summary: 'What happens to the nodes of every project, in the records of the compute group',
    query: sinceQuery,
    success: { ...SOCKET, frames: computeFrame },
    errors: [400, 429],
    socket: ({ query, lastEventId }) => socket(api, ofServer('compute'), readCursor(query, lastEventId)),
  }),
];

const ofServer = (kind: 'controller' | 'compute'): Feed => ({ kind, project_id: null });

/** Also of a closed one. */
const ofProject = (api: Api, projectId: string): Feed => ({
  kind: 'project',
  project_id: api.find.project(projectId).project_id,
});

const stream = (api: Api, feed: Feed, cursor: Cursor | null, signal: AbortSignal): Payload => {
  const release = api.feeds.admit();
  const { sink, stream } = streamSink();
  const leave = api.feeds.join(feed, cursor, sink);
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

const socket = (api: Api, feed: Feed, cursor: Cursor | null): Joining => {
  const leaving = [api.feeds.admit()];
  return {
    join: (socket, below) => {
      leaving.push(keepAlive(socket, api.limits.pingMs), api.feeds.join(feed, cursor, socketSink(socket, below)));
    },
    leave: () => {
      for (const leave of leaving.splice(0)) leave();
    },
  };
};
