import type { Workbench } from './workbench.ts';

/**
 * What a node or a link has on it beside what it is. `broken`: a check of it; `storm`: the weather; `way`: what is followed goes by here,
 * and `end`: ends here; `shown`: another part of the page is about it.
 */
export type Light = 'broken' | 'storm' | 'way' | 'end' | 'shown';
/** By id of a node or a link. */
export type Lights = ReadonlyMap<string, Light>;
/** Who lights them up. */
export type Lamp = 'checks' | 'check' | 'weather' | 'why';

/** Lights up these, and no others that the lamp has lit before. */
export const shine =
  (lamp: Lamp, lights: Lights) =>
  (now: Workbench): Workbench => {
    const before = now.lights.get(lamp);
    if (lights.size === 0 && before === undefined) return now;
    const all = new Map(now.lights);
    if (lights.size === 0) all.delete(lamp);
    else all.set(lamp, lights);
    return { ...now, lights: all };
  };

/** What is on one of them, as classes; each once. */
export const lightsOn = ({ lights }: Pick<Workbench, 'lights'>, id: string): string => {
  if (lights.size === 0) return '';
  const found = new Set<string>();
  for (const lit of lights.values()) {
    const light = lit.get(id);
    if (light !== undefined) found.add(`lit-${light}`);
  }
  return [...found].sort().join(' ');
};
