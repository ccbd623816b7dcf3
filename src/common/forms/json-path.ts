/** Steps of a path: `neighbors`, `.neighbors`, `['10.0.0.2']`, `["10.0.0.2"]`, `[0]`, `[*]`, `.*`. */
const STEP = /\.?([^.[\]'"*\s$]+)|\[(?:'([^']*)'|"([^"]*)"|(\d+))\]|\.?(\*)|\[(\*)\]/y;

/** A key, or null for all members. */
type Step = string | null;

/** Splits a path into its steps; null if it is none. A `$` at its begin is the whole value, as in RFC 9535. */
const stepsOf = (path: string): Step[] | null => {
  const steps: Step[] = [];
  for (let at = path.startsWith('$') ? 1 : 0; at < path.length; at = STEP.lastIndex) {
    STEP.lastIndex = at;
    const found = STEP.exec(path);
    if (found === null) return null;
    const [, name, single, double, index] = found;
    steps.push(name ?? single ?? double ?? index ?? null);
  }
  return steps;
};

export const isJsonPath = (path: string): boolean => stepsOf(path) !== null;

/** Values at a path of a JSON value, in the order of the text. */
export const valuesAt = (value: unknown, path: string): unknown[] => {
  let found: unknown[] = [value];
  for (const step of stepsOf(path) ?? []) found = found.flatMap((one) => membersOf(one, step));
  return found;
};

const membersOf = (value: unknown, step: Step): unknown[] => {
  if (typeof value !== 'object' || value === null) return [];
  if (step === null) return Object.values(value);
  return Object.prototype.propertyIsEnumerable.call(value, step) ? [(value as Record<string, unknown>)[step]] : [];
};
