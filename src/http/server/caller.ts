import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../actors/commands.ts';

const SANE_ID = /^[\w.:@+/=-]{1,128}$/;
/** Agents are kept with every event, so a long one is cut. */
const AGENT_LENGTH = 200;

/** The client's own request id where it can stand in logs and headers, else a new one. */
export const requestId = (raw: Pick<IncomingMessage, 'headers'>): string => {
  const given = raw.headers['x-request-id'];
  return typeof given === 'string' && SANE_ID.test(given) ? given : randomUUID();
};

/** Caller of a command: its user and address by admission, its agent and precondition by the request. */
export const callerOf = ({ headers, socket, address, principal, id }: FastifyRequest): Caller => {
  const expected = expectedOf(headers['if-match']);
  return {
    ...(expected === undefined ? {} : { expected }),
    by: {
      principal: principal ?? 'anonymous',
      address: address ?? socket.remoteAddress ?? null,
      agent: headers['user-agent']?.slice(0, AGENT_LENGTH) ?? null,
    },
    request_id: id,
  };
};

/** Tags of If-Match (RFC 9110, 13.1.1). They are compared as they are, so a weak one matches nothing. */
const expectedOf = (header: string | undefined): readonly string[] | undefined =>
  header?.split(',').map((tag) => tag.trim());
