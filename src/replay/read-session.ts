import { invalid } from '../common/errors.ts';
import type { LogEvent } from '../events/event.ts';
import type { AnyEvent } from '../events/schemas.ts';
import { upcast } from '../events/upcasters.ts';
import {
  type Attachment,
  type Base,
  linesOf,
  type Recording,
  type RedactedEvent,
  type SessionFile,
  type SessionHead,
  type Source,
} from '../session/format.ts';

/** Content of a session file that a replay uses. */
export interface SessionContent {
  head: SessionHead;
  /** Records before the first event; null if that is the project's first one. */
  base: Base | null;
  events: AnyEvent[];
  files: SessionFile[];
  recordings: Recording[];
}

/** Reads a session that has been verified, or comes from this server. Throws `invalid_request` for an incomplete one. */
export const readSession = async (source: Source): Promise<SessionContent> => {
  let session: SessionContent | null = null;
  for await (const { bytes } of linesOf(source)) {
    const text = bytes.toString();
    if (session !== null) take(session, JSON.parse(text) as Line);
    else session = { head: JSON.parse(text) as SessionHead, base: null, events: [], files: [], recordings: [] };
  }
  if (session === null) throw invalid('the session is empty');
  return session;
};

type Line = LogEvent | Attachment | { redacted_fact: RedactedEvent };

const take = (session: SessionContent, line: Line): void => {
  if ('base' in line) session.base = line.base;
  else if ('file' in line) session.files.push(line.file);
  else if ('recording' in line) session.recordings.push(line.recording);
  else if ('redacted_fact' in line)
    throw invalid(
      `event ${line.redacted_fact.head.position} was left out of this session, which cannot be replayed without it`,
    );
  else session.events.push(upcast(line));
};
