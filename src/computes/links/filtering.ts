import { conflict } from '../../common/errors.ts';
import { isOurs } from '../../common/forms/filters.ts';
import type { Filters } from '../../events/fields.ts';
import type { TunnelSide } from './nios.ts';

/** End that carries the filters of a tunnel, for both directions. */
export type Filtering = 0 | 1;

interface Filtered {
  sides: readonly [TunnelSide, TunnelSide];
  suspend: boolean;
  filters: Filters;
}

/** The end that has the filters. An exact one is taken; others only where their kind says that it can. */
export const filteringEnd = (
  { sides, filters, suspend }: Filtered,
  isExact: (side: TunnelSide) => boolean,
): Filtering => {
  const exact = sides.findIndex(isExact);
  if (exact !== -1) return exact as Filtering;
  const ours = Object.keys(filters).find(isOurs);
  if (ours !== undefined)
    throw conflict(`neither ${sides[0].compute_id} nor ${sides[1].compute_id} knows the filter ${ours}`, {
      field: `filters.${ours}`,
    });
  const able = sides.findIndex(({ kind }) => kind.capabilities.filters);
  if (able !== -1) return able as Filtering;
  const isFiltered = Object.keys(filters).length > 0;
  if (!isFiltered && !suspend) return 0;
  const names = sides.map(({ node, compute_id }) => `${node.name} on ${compute_id}`);
  throw conflict(`neither ${names.join(' nor ')} can filter frames`, { field: isFiltered ? 'filters' : 'suspend' });
};
