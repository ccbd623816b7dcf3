import type { z } from 'zod';
import { invalid } from '../../common/errors.ts';
import { knownKeysIn, suggestionText, tellKnownKeys } from '../../common/forms/suggestions.ts';

export interface Problem {
  field: string;
  problem: string;
}

/** How many problems an answer lists: enough to fix a body at once, bounded for a hostile one. */
const MAX_PROBLEMS = 20;

/** Parses a value by its schema. Throws a 400 that names each wrong field and what would be right. */
export const validate = <S extends z.ZodType>(schema: S, value: unknown, prefix: PropertyKey[] = []): z.output<S> => {
  // Without settings of its own, which cost ten times as much as a small schema: what is wrong is parsed again, for its texts.
  const quick = schema.safeParse(value);
  if (quick.success) return quick.data;
  const result = schema.safeParse(value, { error: tellKnownKeys, reportInput: true });
  if (result.success) return result.data;
  // A body may have as many as it has characters, and each costs a search for what was meant.
  const issues = result.error.issues.slice(0, MAX_PROBLEMS);
  const errors = issues.flatMap((issue) => problemsOf(issue, value, prefix)).slice(0, MAX_PROBLEMS);
  const first = errors[0];
  throw invalid(first ? `${first.field} ${first.problem}` : 'the body does not fit', { errors });
};

type Issue = z.core.$ZodIssue;

const problemsOf = (issue: Issue, root: unknown, prefix: PropertyKey[]): Problem[] => {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.slice(0, MAX_PROBLEMS).map((key) => ({
      field: fieldOf([...prefix, ...issue.path, key]),
      problem: `is not known here${isOwnText(issue) ? issue.message : suggestionText(key, knownKeysIn(issue.message))}`,
    }));
  return [{ field: fieldOf([...prefix, ...issue.path]), problem: describe(issue, root) }];
};

/** `['nodes', 0, 'label']` to `nodes[0].label`. */
const fieldOf = (path: readonly PropertyKey[]): string =>
  path.length === 0
    ? 'body'
    : path.map((p, i) => (typeof p === 'number' ? `[${p}]` : `${i === 0 ? '' : '.'}${String(p)}`)).join('');

const valueAt = (root: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined,
    root,
  );

/** Tells a missing field from one that was moved before the check. The input of a union is all of it, also if only its discriminator is missing. */
const isMissing = (issue: Issue, root: unknown): boolean =>
  valueAt(root, issue.path) === undefined &&
  (issue.input === undefined || issue.code === 'invalid_union' || issue.code === 'custom');

const describe = (issue: Issue, root: unknown): string => {
  const right = expectation(issue);
  return isMissing(issue, root) ? `is missing: it ${right}` : right;
};

const isOwnText = ({ message }: Issue): boolean => !/^(?:Invalid|Too|Unrecognized|Required|Known keys)/.test(message);

/** A clause that goes after the field's name. Schemas may bring their own, beginning with "must". */
const expectation = (issue: Issue): string => {
  if (isOwnText(issue)) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${article(issue.expected)}`;
    case 'too_small':
      return `must ${size(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum)}`;
    case 'too_big':
      return `must ${size(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum)}`;
    case 'invalid_value':
      return issue.values.length === 1
        ? `must be ${JSON.stringify(issue.values[0])}`
        : `must be one of ${issue.values.map(String).join(', ')}`;
    case 'invalid_format':
      return issue.format === 'regex' ? `must match ${String(issue.pattern)}` : `must be a valid ${issue.format}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_union':
      return unionExpectation(issue);
    case 'unrecognized_keys':
      return `is not valid (Unrecognized key${issue.keys.length > 1 ? 's' : ''}: ${issue.keys
        .slice(0, MAX_PROBLEMS)
        .map((key) => JSON.stringify(key))
        .join(', ')})`;
    case 'invalid_key':
    case 'invalid_element':
    case 'custom':
      return `is not valid (${issue.message})`;
  }
};

const unionExpectation = (issue: z.core.$ZodIssueInvalidUnion): string => {
  const branches = issue.errors.flatMap((branch) => branch.filter((i) => i.path.length === 0).map(expectation));
  return [...new Set(branches)].join(', or ') || 'does not have one of the shapes that are possible here';
};

const article = (expected: string): string => {
  if (expected === 'int') return 'an integer';
  if (expected === 'record') return 'an object';
  return `${/^[aeiou]/.test(expected) ? 'an' : 'a'} ${expected}`;
};

const size = (origin: string, bound: string, limit: number | bigint): string => {
  if (origin === 'string') return `have ${bound} ${limit} character${limit === 1 ? '' : 's'}`;
  if (origin === 'array' || origin === 'set') return `have ${bound} ${limit} item${limit === 1 ? '' : 's'}`;
  return `be ${bound} ${limit}`;
};
