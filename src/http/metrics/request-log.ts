import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { asksUpgrade } from '../access/framing.ts';
import type { Api } from '../api.ts';
import { pathOf } from '../server/errors.ts';
import { NO_ROUTE } from '../routing/route.ts';

/** Code of nginx for a client that went away before it was answered. */
const GONE = 499;
/** Handshake of a WebSocket, whose answer the framework does not see. */
const UPGRADED = 101;

interface AnsweredRequest {
  method: string;
  path: string;
  route: string;
  code: number;
  ms: number;
  request_id: string;
  /** null: it was not found out. */
  principal: string | null;
}

/** Logs a line for each answered request; null below the level debug. */
const teller = (logger: Logger): ((answered: AnsweredRequest) => void) | null => {
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

/** Counts and logs a request once its answer has gone out, or its client has gone, and has it leave its connection. */
export const answerNotes = ({ counts, logger }: Pick<Api, 'counts' | 'logger'>) => {
  const tell = teller(logger);
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const begun = performance.now();
    // One listener, and `close` comes once anyway: `once` would leave a hidden class behind with every request.
    reply.raw.on('close', () => {
      request.leave?.();
      const ms = performance.now() - begun;
      const route = String(reply.getHeader('X-Route') ?? NO_ROUTE);
      const { method, id: request_id, principal } = request;
      const code = codeOf(request.raw, reply.raw);
      counts.of(route, method).answered(code, ms / 1000);
      tell?.({ method, path: pathOf(request.originalUrl), route, code, ms, request_id, principal });
    });
  };
};

const codeOf = (request: IncomingMessage, answer: ServerResponse): number => {
  if (answer.headersSent) return answer.statusCode;
  return asksUpgrade(request) ? UPGRADED : GONE;
};
