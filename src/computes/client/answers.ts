import { z } from 'zod';
import { conflict } from '../../common/errors.ts';

/** A list that a compute has answered. `about`: for the conflict that says what it should have been. */
export const listOf = <T>(item: z.ZodType<T>, answer: unknown, about: { compute: string; what: string }): T[] => {
  const list = z.array(item).safeParse(answer);
  if (list.success) return list.data;
  const [issue] = list.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? 'it' : issue.path.map(String).join('.');
  throw conflict(`${about.compute} answers no list of the ${about.what}: ${where}: ${issue?.message ?? 'not valid'}`, {
    compute: about.compute,
  });
};

/** A path for a request: its slashes stay. */
export const encodedPath = (name: string): string => name.split('/').map(encodeURIComponent).join('/');
