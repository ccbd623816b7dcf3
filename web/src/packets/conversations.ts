import type { Conversation } from './server.ts';

export type Column = 'protocol' | 'one' | 'other' | 'frames' | 'octets' | 'first' | 'last';

const VALUES: Readonly<Record<Column, (row: Conversation) => number | string>> = {
  protocol: ({ protocol }) => protocol,
  one: ({ ends: [{ address, port }] }) => `${address} ${String(port ?? 0).padStart(5, '0')}`,
  other: ({ ends: [, { address, port }] }) => `${address} ${String(port ?? 0).padStart(5, '0')}`,
  frames: ({ frames }) => frames[0] + frames[1],
  octets: ({ octets }) => octets[0] + octets[1],
  first: ({ first }) => first,
  last: ({ last }) => last,
};

export const sortedBy = (
  rows: readonly Conversation[],
  { by, isDown }: { readonly by: Column; readonly isDown: boolean },
): readonly Conversation[] => {
  const of = VALUES[by];
  const sorted = rows.toSorted((a, b) => {
    const [one, other] = [of(a), of(b)];
    if (typeof one === 'number' && typeof other === 'number') return one - other;
    return String(one).localeCompare(String(other), undefined, { numeric: true });
  });
  return isDown ? sorted.toReversed() : sorted;
};
