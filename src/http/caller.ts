import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Caller } from '../actors/commands.ts';

const SANE_ID = /^[\w.:@+/=-]{1,128}$/;
const SANE_USER = /^[\w.@ +-]{1,64}$/;
/** Agents are kept with every fact, so a long one is cut. */
const AGENT_LENGTH = 200;

/** The client's own request id where it can stand in logs and headers, else a new one. */
export const requestId = (raw: Pick<IncomingMessage, 'headers'>): string => {
  const given = raw.headers['x-request-id'];
  return typeof given === 'string' && SANE_ID.test(given) ? given : randomUUID();
};

/** Who asks. A user name is believed only from this very machine: a proxy that has checked it, or the command line. */
export const callerOf = (headers: IncomingHttpHeaders, address: string | undefined, id: string): Caller => {
  const user = headers['x-topolog-user'];
  const trusted = isLoopback(address) && typeof user === 'string' && SANE_USER.test(user);
  const expected = expectedOf(headers['if-match']);
  return {
    ...(expected === undefined ? {} : { expected }),
    by: {
      principal: trusted ? user : 'anonymous',
      address: address ?? null,
      agent: headers['user-agent']?.slice(0, AGENT_LENGTH) ?? null,
    },
    request_id: id,
  };
};

/** RFC 9110, 13.1.1: tags are compared as they are, so a weak one fits nothing. */
const expectedOf = (header: string | undefined): readonly string[] | undefined =>
  header?.split(',').map((tag) => tag.trim());

const isLoopback = (address: string | undefined): boolean =>
  address !== undefined && /^(?:::ffff:)?127\.\d+\.\d+\.\d+$|^::1$/.test(address);
