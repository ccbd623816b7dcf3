import { byPreference, pathPattern } from '../routing/path-template.ts';
import type { Route } from '../routing/route.ts';

/** Value of `X-Route` on answers that no route served. */
export const NO_ROUTE = '*';

/** Methods a route answers: a GET without a stream or WebSocket answers HEAD as well. */
const methodsOf = (route: Route): string[] =>
  route.method === 'GET' && answersHead(route) ? ['GET', 'HEAD'] : [route.method];

export const answersHead = (route: Route): boolean =>
  route.success.code === 200 && (route.success.type === undefined || route.isPublic === true);

export interface PathMatch {
  template: string;
  /** Sorted, for the Allow header. */
  methods: string[];
}

/** Finds the template of a path whatever the method, so that a wrong method is told from a wrong path. */
export const pathMatcher = (routes: readonly Route[]): ((path: string) => PathMatch | undefined) => {
  const methods = new Map<string, Set<string>>();
  for (const route of routes) {
    const known = methods.get(route.path) ?? new Set<string>();
    for (const method of methodsOf(route)) known.add(method);
    methods.set(route.path, known);
  }
  const patterns = [...methods]
    .sort(([a], [b]) => byPreference(a, b))
    .map(([template, known]) => ({
      pattern: pathPattern(template),
      match: { template, methods: [...known].sort() },
    }));
  return (path) => patterns.find(({ pattern }) => pattern.test(path))?.match;
};
