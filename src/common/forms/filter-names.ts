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
const OURS = new Set(['jitter', 'reorder', 'duplicate', 'burst_loss', 'rate']);

/** A filter, or a direction, that existing tools would not start a link with. */
export const isOurs = (name: string): boolean => isOneWay(name) || OURS.has(name);

const TURNED = { '>': '<', '<': '>', '': '' } as const;

/** As they are for somebody who takes the link's ends in the other order. */
export const turnedRound = <T>(filters: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(
    Object.entries(filters).map(([name, values]) => {
      const [plain, way] = partsOf(name);
      return [`${plain}${TURNED[way]}`, values];
    }),
  );
