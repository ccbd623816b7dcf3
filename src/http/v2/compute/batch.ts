import { parse } from 'node:querystring';
import { PassThrough } from 'node:stream';
import { z } from 'zod';
import type { Caller } from '../../../actors/commands.ts';
import { LENGTHS } from '../../../common/bounds.ts';
import { invalid, TopologError } from '../../../common/errors.ts';
import { inSlices, type Steps } from '../../../common/slices.ts';
import type { Api } from '../../api.ts';
import { HEADER, KEY } from '../../routing/controller.ts';
import { type Find, finder, type Found, innerCall } from '../../routing/dispatch.ts';
import { asController, runHandler } from '../../routing/execute.ts';
import {
  type Controller,
  LINES,
  type ParamTypes,
  type Payload,
  type PlainRoute,
  type Route,
  route,
  NO_ROUTE,
} from '../../routing/route.ts';
import { asAnswered, errorText, keepRefusal, pathOf, WRITES } from '../../server/errors.ts';
import { parseParams } from '../../server/parameters.ts';
import { isObject, keptBody } from '../../server/request-body.ts';
import { validate } from '../../server/validate.ts';
import { BATCH_LIMIT } from '../batch.ts';
import { anyObject } from '../schema.ts';
import { line } from '../../../model/types.ts';

const PATH = '/v2/compute/batch';
const MOST_CALLS = 1_000;

const KEY_PROBLEM = 'must have 1 to 255 visible characters';
const call = z.strictObject({
  method: z.enum(['GET', 'POST', 'PUT', 'DELETE']),
  path: line.min(1),
  body: anyObject.nullable().exactOptional(),
  key: z.union([z.string().regex(KEY, KEY_PROBLEM), z.int().min(0)]).exactOptional(),
});
const hasLongPath = (given: unknown): boolean =>
  isObject(given) && typeof given['path'] === 'string' && given['path'].length > LENGTHS.line;
/** Elements are checked one by one, so that a wrong one is refused in its own line. */
const calls = z
  .array(
    z.union([
      call,
      z.unknown().refine((given) => !hasLongPath(given), `path must have at most ${LENGTHS.line} characters`),
    ]),
  )
  .min(1)
  .max(MOST_CALLS);

/** Caller of all calls, which are on the record as one request. */
interface Batch {
  api: Api;
  find: Find;
  caller: Caller;
  controller: Controller | null;
}

/** Requests of the compute group in one: each goes through its own row, as if it had come alone. */
export const computeBatchRoutes = (api: Api, routes: readonly Route[]): Route[] => {
  const find = finder(routes);
  return [
    route('POST', PATH, {
      summary: 'Many requests of the compute group, side by side: a line of JSON for each, as soon as it is answered',
      body: z.strictObject({ calls }),
      bodyLimit: BATCH_LIMIT,
      success: {
        code: 200,
        type: LINES,
        description: 'Lines `{"call": index, "status": code, "body": object or null}`',
      },
      errors: [400, 409, 413],
      handler: ({ caller: { by, request_id }, controller, body }) => {
        const lines = new Lines();
        void answerAll({ api, find, caller: { by, request_id }, controller }, body.calls, lines);
        return { stream: lines.stream, type: LINES };
      },
    }),
  ];
};

/** Joins lines of one turn of the event loop. The client may have gone. */
class Lines {
  readonly stream = new PassThrough();
  #waiting: string[] = [];

  add(text: string): void {
    if (this.#waiting.length === 0) setImmediate(() => this.#flush());
    this.#waiting.push(text);
  }

  #flush(): void {
    if (!this.stream.destroyed && this.#waiting.length > 0) this.stream.write(`${this.#waiting.join('\n')}\n`);
    this.#waiting = [];
  }

  end(): void {
    this.#flush();
    if (!this.stream.destroyed) this.stream.end();
  }
}

/** Carries out all calls, also when the client has gone. */
const answerAll = async (batch: Batch, given: readonly unknown[], lines: Lines): Promise<void> => {
  const answers: Promise<void>[] = [];
  await inSlices(begin());
  await Promise.all(answers);
  lines.end();

  function* begin(): Steps<void> {
    for (const [index, one] of given.entries()) {
      answers.push(answer(batch, one, index).then((text) => lines.add(text)));
      yield;
    }
  }
};

const answer = async (batch: Batch, given: unknown, index: number): Promise<string> => {
  const asked: Lookup = { found: null };
  try {
    const payload = await perform(batch, given, index, asked);
    return `{"call":${index},"status":${asked.found?.row.success.code ?? 200},"body":${textOf(payload)}}`;
  } catch (thrown) {
    const error = refused(batch, thrown, given, asked);
    return `{"call":${index},"status":${error.status},"body":${errorText(error)}}`;
  }
};

/** The row of a call, kept for the case that it fails. */
interface Lookup {
  found: Found | null;
}

const perform = async (batch: Batch, given: unknown, index: number, asked: Lookup): Promise<Payload> => {
  const { api, caller } = batch;
  const { method, path, key, body } = validate(call, given, ['calls', index]);
  const url = api.kindNames.rewrite(`/v2/compute/${path.replace(/^(?:\/v2\/compute)?\//, '')}`);
  const found = batch.find(method, pathOf(url));
  asked.found = found;
  const { row } = found;
  checkPossible(row);
  const controller = keyed(batch.controller, key);
  const [, query = ''] = url.split(/\?(.*)/s);
  const params = paramsOf(found);
  // A call of a batch goes on when the client leaves; only the server's end aborts it.
  const outer = { caller, accept: '', controller, signal: api.closing };
  const inner = innerCall(api, row, { params, query: { ...parse(query) }, body: body ?? {} }, outer);
  return asController(api, row, { call: inner, url, body: body ?? undefined }, () => runHandler(api, row, inner));
};

const checkPossible = ({ upload, success, method, path }: PlainRoute): void => {
  if (upload === undefined && success.type === undefined && success.frames === undefined) return;
  throw invalid(`${method} ${path} is not possible in a batch: files and streams have requests of their own`);
};

const keyed = (controller: Controller | null, key: string | number | undefined): Controller | null => {
  if (controller !== null) return { ...controller, key: key === undefined ? null : String(key) };
  if (key === undefined) return null;
  throw invalid(`key needs the header ${HEADER}, which says whose it is`, { field: 'key' });
};

const paramsOf = ({ row, groups }: Found): ParamTypes => {
  try {
    const decoded = Object.entries(groups).map(([name, text]) => [name, decodeURIComponent(text)]);
    return parseParams(row.params, Object.fromEntries(decoded) as Record<string, string>);
  } catch (error) {
    throw error instanceof TopologError ? error : invalid('the path is not validly percent-encoded');
  }
};

const textOf = (payload: Payload): string => (payload !== null && 'json' in payload ? payload.json : 'null');

const refused = ({ api, caller }: Batch, thrown: unknown, given: unknown, { found }: Lookup): TopologError => {
  const route = found?.row.path ?? NO_ROUTE;
  const error = asAnswered(api, thrown, caller.request_id ?? '', route);
  const { method, path, body } = isObject(given) ? given : {};
  if (error.status === 500 || typeof method !== 'string' || !WRITES.has(method)) return error;
  const project = found?.groups['project_id'];
  const refusal = { method, route, path: pathOf(String(path)), project, body: keptBody({ body, headers: {} }) };
  keepRefusal(api, caller, error, refusal);
  return error;
};
