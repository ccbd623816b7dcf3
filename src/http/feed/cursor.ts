import { z } from 'zod';
import { badField } from '../server/parameters.ts';

/** What a client has seen last: everything up to a position, but for the last `more` frames of that very position. */
export interface Cursor {
  position: number;
  more: number;
}

const CURSOR = /^(\d{1,15})(?:\.(\d{1,6}))?$/;
const PROBLEM = 'must be a position, or position.more of a frame that said that more of its position follow';

const cursorOf = (text: string): Cursor | null => {
  const [, position, more = '0'] = CURSOR.exec(text) ?? [];
  return position === undefined ? null : { position: Number(position), more: Number(more) };
};

export const sinceQuery = z.object({ since: z.string().regex(CURSOR, PROBLEM).exactOptional() });

/** Where a listener goes on; null: from now on. The query counts before the header. */
export const readCursor = ({ since }: z.output<typeof sinceQuery>, lastEventId: string | null): Cursor | null => {
  const text = since ?? lastEventId;
  if (text === null) return null;
  const cursor = cursorOf(text);
  if (cursor === null) throw badField('Last-Event-ID', PROBLEM);
  return cursor;
};
