import { CONTAINER_SERVICE } from './container/option.ts';
import type { KindOption, KindOptions } from './kit/kind-option.ts';

/** What kinds can be told by flags when the server starts. Apart from the kinds, as every command reads flags. */
export const KIND_OPTIONS: readonly KindOption[] = [CONTAINER_SERVICE];

/** As `parseArgs` takes them. */
export const KIND_FLAGS = Object.fromEntries(KIND_OPTIONS.map(({ flag }) => [flag, { type: 'string' as const }]));

/** Those that were given among all flags. */
export const kindOptionsOf = (values: Readonly<Record<string, unknown>>): KindOptions =>
  Object.fromEntries(
    KIND_OPTIONS.flatMap(({ flag }) => {
      const value = values[flag];
      return typeof value === 'string' ? [[flag, value]] : [];
    }),
  );
