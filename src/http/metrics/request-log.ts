import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Api } from '../api.ts';
import { pathOf } from '../server/errors.ts';
import { NO_ROUTE } from '../routing/route.ts';

/** As nginx says it: the client went away before it was answered. */
const GONE = 499;
/** The handshake of a WebSocket; the framework knows nothing of its answer. */
const UPGRADED = 101;

interface Answered {
  method: string;
  path: string;
  route: string;
  code: number;
  ms: number;
  request_id: string;
  /** null: it was not found out. */
  principal: string | null;
}

/** Says of each request in a line how it was answered; null: nobody wants to know. */
export const teller = (logger: Logger): ((answered: Answered) => void) | null => {
  if (!logger.isLevelEnabled('debug')) return null;
  return (answered) => {
    const { method, path, code, ms, request_id, principal } = answered;
    const rounded = Math.round(ms * 100) / 100;
    const by = principal === null ? '' : ` by ${principal}`;
    logger.debug(
      { ...answered, ms: rounded },
      `${method} ${path}${by}: ${code} in ${rounded} ms (request ${request_id})`,
    );
  };
};

/** Counts a request, and tells of it, when its answer has gone out or nobody waits for it any more. */
export const answerNotes = ({ counts, logger }: Pick<Api, 'counts' | 'logger'>) => {
  const tell = teller(logger);
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const begun = performance.now();
    // It comes once; see Traffic.
    reply.raw.on('close', () => {
      const ms = performance.now() - begun;
      const route = String(reply.getHeader('X-Route') ?? NO_ROUTE);
      const { method, id: request_id, principal } = request;
      const code = codeOf(request, reply.raw);
      counts.of(route, method).answered(code, ms / 1000);
      tell?.({ method, path: pathOf(request.originalUrl), route, code, ms, request_id, principal });
    });
  };
};

const codeOf = ({ ws }: FastifyRequest, raw: ServerResponse): number => {
  if (raw.headersSent) return raw.statusCode;
  return ws ? UPGRADED : GONE;
};
