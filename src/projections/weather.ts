import { overlayFilters } from '../common/forms/filters.ts';
import type { LinkRecord } from './records.ts';

/** What holds on a link: its own filters and suspension, with what the weather does over them. */
export const inWeather = ({
  filters,
  suspend,
  weather,
}: Pick<LinkRecord, 'filters' | 'suspend' | 'weather'>): Pick<LinkRecord, 'filters' | 'suspend'> =>
  weather === undefined
    ? { filters, suspend }
    : { filters: overlayFilters(filters, weather.filters), suspend: suspend || weather.suspend === true };
