import type { Lab } from '../../store/lab.ts';
import type { Records } from '../../store/records.ts';
import { keyOf, type Panel, panelOf, type WorkbenchStore } from '../../store/workbench.ts';

interface Storage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

const KEY = 'topolog.panels';
/** Labs whose panels are kept; the ones that were used last. */
const MOST = 50;

interface Kept {
  readonly keys: readonly string[];
  readonly active: string | null;
}

/** By lab and person, oldest first. */
const readAll = (storage: Storage): Readonly<Record<string, unknown>> => {
  try {
    const given: unknown = JSON.parse(storage.getItem(KEY) ?? '{}');
    return typeof given === 'object' && given !== null ? { ...given } : {};
  } catch {
    return {};
  }
};

const keptOf = (given: unknown): Kept => {
  const { keys, active } = (typeof given === 'object' && given !== null ? given : {}) as Partial<
    Record<keyof Kept, unknown>
  >;
  return {
    keys: Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [],
    active: typeof active === 'string' ? active : null,
  };
};

const isThere = ({ nodes, links }: Records, panel: Panel): boolean => {
  if (panel.kind === 'console' || panel.kind === 'recording') return nodes.has(panel.nodeId);
  return panel.kind === 'packets' ? links.has(panel.linkId) : true;
};

/**
 * Has the panels of a lab open as somebody left them, once it is known what is still there, and keeps each change. Answers what ends it.
 * `whose`: lab and person.
 */
export const keepPanels = (
  workbench: WorkbenchStore,
  { state }: Pick<Lab, 'state'>,
  storage: Storage,
  whose: string,
): (() => void) => {
  let isRestored = false;
  const restore = (): void => {
    if (isRestored || !state.get().isLoaded) return;
    isRestored = true;
    const { keys, active } = keptOf(readAll(storage)[whose]);
    const panels = keys.map(panelOf).filter((panel) => panel !== null && isThere(state.get().records, panel));
    workbench.update((now) => {
      const open = new Set(now.panels.map(keyOf));
      const known = panels.filter((panel): panel is Panel => panel !== null && !open.has(keyOf(panel)));
      if (known.length === 0) return now;
      const all = [...known, ...now.panels];
      const front = all.some((panel) => keyOf(panel) === active) ? active : (all.map(keyOf).at(-1) ?? null);
      // A panel that somebody has opened meanwhile stays in front.
      return { ...now, panels: all, active: now.active ?? front, isQuiet: now.panels.length === 0 };
    });
  };
  const keep = (): void => {
    if (!isRestored) return;
    const { panels, active } = workbench.get();
    const { [whose]: before, ...others } = readAll(storage);
    const kept: Kept = { keys: panels.map(keyOf), active };
    if (JSON.stringify(before ?? { keys: [], active: null }) === JSON.stringify(kept)) return;
    const rest = Object.entries(others).slice(1 - MOST);
    storage.setItem(KEY, JSON.stringify(Object.fromEntries(panels.length === 0 ? rest : [...rest, [whose, kept]])));
  };
  const ends = [state.subscribe(restore), workbench.subscribe(keep)];
  restore();
  return () => {
    for (const end of ends) end();
  };
};
