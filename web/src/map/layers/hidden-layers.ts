import type { Records } from '../../store/records.ts';
import type { Workbench, WorkbenchStore } from '../../store/workbench.ts';

type Change = (now: Workbench) => Workbench;

/** Layers are hidden for oneself only, and until the page is left. */
export const hideLayer =
  (z: number, isHidden: boolean): Change =>
  (now) => {
    const hiddenLayers = new Set(now.hiddenLayers);
    if (isHidden) hiddenLayers.add(z);
    else hiddenLayers.delete(z);
    return { ...now, hiddenLayers };
  };

export const showAllLayers: Change = (now) => ({ ...now, hiddenLayers: new Set() });

/** Two layers have changed their places: what was hidden stays so. */
export const swapHidden =
  (a: number, b: number): Change =>
  (now) => ({
    ...now,
    hiddenLayers: new Set([...now.hiddenLayers].map((z) => (z === a ? b : z === b ? a : z))),
  });

/** Somebody wants to see an object: its layer is shown again. */
export const reveal = (workbench: WorkbenchStore, { nodes, drawings }: Records, id: string): void => {
  const z = (nodes.get(id) ?? drawings.get(id))?.z;
  if (z !== undefined && workbench.get().hiddenLayers.has(z)) workbench.update(hideLayer(z, false));
};
