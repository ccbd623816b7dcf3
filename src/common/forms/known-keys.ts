import { z } from 'zod';
import { meantBy } from './meant-by.ts';

/** zod's message of a key that a form does not know: the keys that it knows. A form with a message of its own keeps that. */
export const tellKnownKeys: z.core.$ZodErrorMap = (issue) =>
  issue.code === 'unrecognized_keys' && issue.inst instanceof z.ZodObject
    ? MARK + Object.keys(issue.inst.shape).join(' ')
    : undefined;

const MARK = 'Known keys: ';

/** The keys in such a message. */
export const knownKeysIn = (message: string): string[] =>
  message.startsWith(MARK) ? message.slice(MARK.length).split(' ') : [];

/** The question for the known key that a mistyped one may have been meant for; empty where none is near. */
export const meantAmong = (key: string, known: readonly string[]): string => {
  const [nearest] = meantBy(key, known);
  return nearest === undefined ? '' : `; did you mean ${nearest}?`;
};
