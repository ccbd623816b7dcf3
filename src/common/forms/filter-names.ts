/**
 * Names of a link's filters. One with a direction acts on that alone, in the place of the filter without: `delay>` from the link's
 * first end to its second, `delay<` back.
 */
export type Way = '>' | '<' | '';

/** A name without its direction, and that. */
export const partsOf = (name: string): [string, Way] => {
  const way = /[<>]$/.exec(name)?.[0] ?? '';
  return [name.slice(0, name.length - way.length), way as Way];
};

export const isOneWay = (name: string): boolean => partsOf(name)[1] !== '';

/** Filters that existing tools do not know. */
const OURS = new Set(['jitter', 'reorder', 'duplicate', 'burst_loss', 'rate', 'seed']);

/** A filter, or a direction, that existing tools would not start a link with. */
export const isOurs = (name: string): boolean => isOneWay(name) || OURS.has(name);

/** Filters with others over them: one that is for both directions leaves nothing below it of the same filter. */
export const laidOver = <T>(
  below: Readonly<Record<string, T>>,
  above: Readonly<Record<string, T>>,
): Record<string, T> => {
  const isCovered = (name: string): boolean => Object.hasOwn(above, partsOf(name)[0]);
  return { ...Object.fromEntries(Object.entries(below).filter(([name]) => !isCovered(name))), ...above };
};

const TURNED = { '>': '<', '<': '>', '': '' } as const;

/** As they are for somebody who takes the link's ends in the other order. */
export const turnedRound = <T>(filters: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(
    Object.entries(filters).map(([name, values]) => {
      const [plain, way] = partsOf(name);
      return [`${plain}${TURNED[way]}`, values];
    }),
  );
