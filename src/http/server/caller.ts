import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../actors/commands.ts';

const SANE_ID = /^[\w.:@+/=-]{1,128}$/;
/** Agents are kept with every event, so a long one is cut. */
const AGENT_LENGTH = 200;

/** UUIDs of this process: the first 24 characters are chance, the rest counts, as chance for each request would cost a twentieth of a read. */
const ours = randomUUID().slice(0, 24);
let count = 0;

/** The client's own request id where it can stand in logs and headers, else a new one. */
export const requestId = (raw: Pick<IncomingMessage, 'headers'>): string => {
  const given = raw.headers['x-request-id'];
  if (typeof given === 'string' && SANE_ID.test(given)) return given;
  count += 1;
  return ours + count.toString(16).padStart(12, '0');
};

/** Caller of a command: its user and address by admission, its agent and precondition by the request. */
export const callerOf = ({ headers, socket, address, principal, id }: FastifyRequest): Caller => {
  const by = {
    principal: principal ?? 'anonymous',
    address: address ?? socket.remoteAddress ?? null,
    agent: headers['user-agent']?.slice(0, AGENT_LENGTH) ?? null,
  };
  const expected = expectedOf(headers['if-match']);
  return expected === undefined ? { by, request_id: id } : { expected, by, request_id: id };
};

/** Tags of If-Match (RFC 9110, 13.1.1). They are compared as they are, so a weak one matches nothing. */
const expectedOf = (header: string | undefined): readonly string[] | undefined =>
  header?.split(',').map((tag) => tag.trim());
