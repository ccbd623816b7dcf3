import { useEffect, useState } from 'react';
import type { Client } from 'topolog/client';
import { useScope, useView } from '../../app/lab-context.tsx';
import { AUTO, byKind, defaultComputeOf, type Engine, isHere, readEngines } from '../../computes/computes.ts';
import { followComputes, useComputes } from '../../computes/follow.ts';
import { useStore } from '../../store/use-store.ts';

const NOTHING: ReadonlyMap<string, string> = new Map();

/** Where new nodes go: as the project has it. Null while there is nothing to select: the template says it. */
export const useWhere = () => {
  const { lab } = useScope();
  const project = useView().records.project;
  const { computes } = useStore(useComputes(lab.client));
  const [selected, setWhere] = useState<string | null>(null);
  const usual = defaultComputeOf(project);
  return { where: selected ?? (computes.length > 1 || !isHere(usual) ? usual : null), setWhere, computes };
};

/** Images that go along are shown. */
export const withComputes = async <T>(client: Client, work: () => Promise<T>): Promise<T> => {
  const { close } = followComputes(client);
  try {
    return await work();
  } finally {
    close();
  }
};

/** By kind: what is to be installed at a compute before one of it can be started. Kinds that can run are not in it. */
export const useMissingEngines = (where: string | null): ReadonlyMap<string, string> => {
  const { lab } = useScope();
  const [missing, setMissing] = useState(NOTHING);
  useEffect(() => {
    const ending = new AbortController();
    enginesAt(lab.client, where, ending.signal).then(
      (engines) => setMissing(new Map(byKind(engines).missing.map(({ kind, install }) => [kind, install]))),
      () => {
        // The list is of use without it.
        if (!ending.signal.aborted) setMissing(NOTHING);
      },
    );
    return () => ending.abort();
  }, [lab, where]);
  return missing;
};

/** What is best is picked among those that can run it. */
const enginesAt = async (client: Client, where: string | null, signal: AbortSignal): Promise<readonly Engine[]> => {
  if (where === AUTO) return [];
  if (where !== null && !isHere(where)) return readEngines(client, where, signal);
  return (await client.get('/v2/compute/capabilities', { signal })).engines ?? [];
};
