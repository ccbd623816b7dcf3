import { conflict } from '../../../common/errors.ts';
import type { EngineContext, KindNode } from '../../kit/contract.ts';

/** Adapters of a node that a cable of the lab ends at, and whether frames pass there now. */
export const wiredAdapters = async (
  { node_id }: Pick<KindNode, 'node_id'>,
  { fabric }: EngineContext,
): Promise<Map<number, boolean>> => {
  const { cables } = await fabric.inventory();
  return new Map(
    cables.flatMap(({ ends, suspend }) =>
      ends.flatMap((end) =>
        end.type === 'port' && end.node_id === node_id ? [[end.adapter_number, !suspend] as const] : [],
      ),
    ),
  );
};

/**
 * Adapters that the lab may take: those that lead nowhere else, or all of them. `used` tells what an adapter leads to already
 * (null: nothing). Throws a conflict when a cable is at one of the others.
 */
export const usableAdapters = (
  title: string,
  used: readonly (string | null)[],
  { useAnyAdapter, wired }: { useAnyAdapter: boolean; wired: ReadonlyMap<number, boolean> },
  free: (adapter: number) => string,
): number[] => {
  const taken = used.findIndex((use, adapter) => use !== null && !useAnyAdapter && wired.has(adapter));
  if (taken >= 0)
    throw conflict(
      `adapter ${taken} of ${title} is connected to ${used[taken] ?? ''} in the hypervisor and cannot take the link; ` +
        `set use_any_adapter to true, or ${free(taken)}`,
    );
  return [...used.keys()].filter((adapter) => useAnyAdapter || used[adapter] === null);
};
