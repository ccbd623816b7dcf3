/** Paths as the specification writes them, placeholders in braces: to the router, to patterns, and back to one segment each. */

/** Placeholders whose values have slashes, two in a row among them: names of files, of symbols, and what is forwarded. */
const GREEDY: ReadonlySet<string> = new Set(['path', 'filename', 'action', 'symbol_id']);

const PLACEHOLDER = /\{(\w+)\}/g;

/** Names of the placeholders, in the order of the path. */
export const placeholders = (template: string): string[] =>
  [...template.matchAll(PLACEHOLDER)].map(([, name = '']) => name);

/** `/v2/projects/{project_id}` to the router's `/v2/projects/:project_id`. */
export const routerPath = (template: string): string => template.replace(PLACEHOLDER, ':$1');

/** Pattern of a path with a group for each placeholder. */
export const pathPattern = (template: string): RegExp =>
  new RegExp(
    `^${template.replace(PLACEHOLDER, (_, name: string) => `(?<${name}>${GREEDY.has(name) ? '.+' : '[^/]+'})`)}$`,
  );

/** Sorts as the router prefers them: at the first segment that differs, what is written out goes before a placeholder. */
export const byPreference = (a: string, b: string): number => {
  const [left, right] = [preference(a), preference(b)];
  return left < right ? -1 : Number(left > right);
};

const preference = (template: string): string => template.replace(PLACEHOLDER, '\uffff');

/**
 * Makes values with slashes one segment of a URL: `/v2/symbols/:/symbols/x.svg/raw` and `/v2/symbols//symbols/x.svg/raw` alike. Without it
 * the router would not find them, and nothing is redirected, which would turn a POST into a GET.
 */
export const folder = (templates: readonly string[]): ((url: string) => string) => {
  const patterns = [...new Set(templates)].sort(byPreference).flatMap(foldPattern);
  return (url) => {
    for (const pattern of patterns) {
      const [, before, value, after] = pattern.exec(url) ?? [];
      if (before !== undefined && value !== undefined && after !== undefined)
        return before + value.replaceAll('/', '%2F') + after;
    }
    return url;
  };
};

const foldPattern = (template: string): RegExp[] => {
  const [before, name, after] = template.split(/\{(\w+)\}(?!.*\{)/);
  if (before === undefined || name === undefined || !GREEDY.has(name)) return [];
  return [new RegExp(`^(${before.replace(PLACEHOLDER, '[^/?]+')})([^?]+)(${after ?? ''}(?:\\?.*)?)$`)];
};

/** URLs whose results are kept, as clients ask for the same ones again and again, and the longest of them. */
const MOST_KEPT = 1_000;
const LONGEST_KEPT = 200;

export const remembered = <T extends string | object | null>(make: (url: string) => T): ((url: string) => T) => {
  const kept = new Map<string, T>();
  return (url) => {
    const known = kept.get(url);
    if (known !== undefined) return known;
    const made = make(url);
    if (url.length > LONGEST_KEPT) return made;
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(url, made);
    return made;
  };
};
