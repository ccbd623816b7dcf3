import type { Engine } from './records.ts';

/** Kinds that can run, with what runs them, and kinds that cannot, with what they lack. */
export interface EnginesByKind {
  readonly ready: readonly { readonly kind: string; readonly engines: readonly Engine[] }[];
  readonly missing: readonly { readonly kind: string; readonly needs: string; readonly install: string }[];
}

export const byKind = (engines: readonly Engine[]): EnginesByKind => {
  const kinds = [...new Set(engines.map(({ node_type }) => node_type))].sort();
  const ready: EnginesByKind['ready'][number][] = [];
  const missing: EnginesByKind['missing'][number][] = [];
  for (const kind of kinds) {
    const own = engines.filter(({ node_type }) => node_type === kind);
    const available = own.filter((engine) => engine.available);
    const lack = own.find((engine) => engine.missing !== null)?.missing ?? null;
    if (available.length > 0) ready.push({ kind, engines: available });
    // One that is simulated runs nothing real.
    if (lack !== null && available.every(({ engine }) => engine === 'simulated')) missing.push({ kind, ...lack });
  }
  return { ready, missing };
};
