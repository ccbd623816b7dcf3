import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Api } from '../api.ts';
import type { RouteCounts } from '../metrics/counts.ts';
import { teller } from '../metrics/request-log.ts';
import { requestId } from '../server/caller.ts';
import { pathPattern, remembered } from './path-template.ts';
import type { Arrival } from '../server/hooks.ts';
import { NO_SNIFF } from '../server/security-headers.ts';
import { parseParams } from '../server/parameters.ts';
import { isSocket, type ParamTypes, type Payload, type PlainRoute, type Route } from './route.ts';

/** Answers a request; false: it is the framework's. */
export type QuickRead = (request: IncomingMessage, response: ServerResponse) => boolean;

/** One read in so many is timed, and the others count the same time: reading the clock twice costs a hundredth of a read. */
const MEASURED = 16;

/** Headers that change nothing about a read. */
const PLAIN = new Set([
  'host',
  'connection',
  'user-agent',
  'accept',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'pragma',
  'content-type',
  'sec-fetch-mode',
  'x-request-id',
]);

/**
 * Most requests are reads of one record, and a read is a look-up: the framework's way to it and back costs as much as the rest. Reads
 * without a query, a body or a word about who asks are answered here. Whatever else there is, refusals among it, goes the usual way.
 * `rewrite`: a URL as the table of routes has it.
 */
export const quickReads = (
  api: Api,
  routes: readonly Route[],
  rewrite: (url: string) => string,
  { traffic, admission }: Arrival,
): QuickRead => {
  const find = remembered(finder(api, routes, rewrite));
  const tell = teller(api.logger);
  const each = tell === null ? MEASURED : 1;
  let [n, ms] = [0, 0];
  return (request, response) => {
    const begun = n === 0 ? performance.now() : 0;
    if (request.method !== 'GET' || !isPlain(request)) return false;
    const found = find(request.url ?? '');
    if (found === null || api.closing.aborted) return false;
    if (!traffic.hasRoom(request.socket) || !admission.isOpen(request)) return false;
    const payload = looked(found);
    if (payload === null) return false;
    const [body, type] = 'json' in payload ? [payload.json, 'application/json'] : [payload.bytes, payload.type];
    const id = requestId(request);
    const head = ['X-Route', found.route.path, 'X-Request-Id', id, ...NO_SNIFF, 'Content-Type', type];
    if ('etag' in payload && payload.etag !== undefined) head.push('ETag', payload.etag);
    if (api.cell !== undefined) head.push('X-Topolog-Position', String(api.cell.position()));
    head.push('Content-Length', String(Buffer.byteLength(body)));
    response.writeHead(200, head).end(body);
    if (n === 0) ms = performance.now() - begun;
    n = (n + 1) % each;
    found.counts.answered(200, ms / 1000);
    tell?.({ ...QUICK, path: request.url ?? '', route: found.route.path, ms, request_id: id });
    return true;
  };
};

/** Whether all headers are plain, and none is repeated. */
const isPlain = ({ headers, rawHeaders, httpVersionMajor }: IncomingMessage): boolean => {
  let names = 0;
  for (const name in headers) {
    if (!PLAIN.has(name)) return false;
    names += 1;
  }
  return rawHeaders.length === 2 * names && httpVersionMajor === 1;
};

/** Constant part of a log line; reads with credentials go to the framework. */
const QUICK = { method: 'GET', code: 200, principal: 'anonymous' };

interface Found {
  route: PlainRoute & Required<Pick<PlainRoute, 'instant'>>;
  params: ParamTypes;
  counts: RouteCounts;
}

const isInstant = (route: Route): route is Found['route'] => !isSocket(route) && 'instant' in route;

const finder = (
  { counts }: Pick<Api, 'counts'>,
  routes: readonly Route[],
  rewrite: (url: string) => string,
): ((url: string) => Found | null) => {
  const instant = routes.filter(isInstant).map((route) => ({ route, pattern: pathPattern(route.path) }));
  return (url) => {
    const path = rewrite(url);
    for (const { route, pattern } of instant) {
      const match = pattern.exec(path);
      const params = match === null ? null : paramsOf(route, match.groups ?? {});
      if (params !== null) return { route, params, counts: counts.of(route.path, 'GET') };
    }
    return null;
  };
};

const paramsOf = (route: PlainRoute, groups: Readonly<Record<string, string>>): ParamTypes | null => {
  try {
    return parseParams(route.params, groups);
  } catch {
    return null;
  }
};

/** Answer to a read; null: there is no such record, or the framework has to send it. */
const looked = ({ route, params }: Found): Extract<Payload, { json: string } | { bytes: Uint8Array }> | null => {
  try {
    const payload = route.instant(params);
    return payload !== null && ('json' in payload || 'bytes' in payload) ? payload : null;
  } catch {
    return null;
  }
};
