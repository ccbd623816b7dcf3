import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { invalid, TopologError } from '../../common/errors.ts';
import { isLost } from '../access/message.ts';
import type { Api } from '../api.ts';
import type { HttpLimits } from '../limits.ts';
import { errorText } from './errors.ts';
import { AS_TYPED } from './page-headers.ts';
import { isUploading } from './upload.ts';
import { NO_ROUTE } from './x-route.ts';

const REASONS: Readonly<Record<string, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

/** Answers what never became a request: bytes that are not HTTP, headers too large, a sender too slow. */
export const answerClientError = (
  cause: Error & { code?: string },
  socket: Socket,
  { limits, counts }: Pick<Api, 'limits' | 'counts'>,
): void => {
  // A large body takes its time; it is given up when no more of it comes.
  if (cause.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isUploading(socket)) return;
  // Its answer is on its way, and is the last one.
  if (isLost(socket)) return;
  if (cause.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const error = asError(cause.code, limits);
  const body = errorText(error);
  counts.of(NO_ROUTE, 'other').answered(error.status, 0);
  const head = [
    `HTTP/1.1 ${error.status} ${REASONS[error.status] ?? ''}`,
    `X-Route: ${NO_ROUTE}`,
    `X-Request-Id: ${randomUUID()}`,
    AS_TYPED.join(': '),
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
};

const asError = (code: string | undefined, limits: HttpLimits): TopologError => {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new TopologError('deadline', { what: 'Sending the request', seconds: limits.requestMs / 1000 });
    case 'HPE_HEADER_OVERFLOW':
      return new TopologError('headers_too_large', { limit: limits.headerBytes });
    default:
      return invalid('it is not HTTP/1.1');
  }
};
