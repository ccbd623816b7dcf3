import type { Message } from '../../words/words.ts';
import type { Kind, Filter } from '../server.ts';

export const KINDS: readonly { readonly kind: Kind; readonly message: Message }[] = [
  { kind: 'start', message: 'Starts' },
  { kind: 'stop', message: 'Stops' },
  { kind: 'failure', message: 'Failures' },
  { kind: 'warning', message: 'Warnings' },
  { kind: 'met', message: 'Checks met' },
  { kind: 'broken', message: 'Checks broken' },
  { kind: 'weather', message: 'Weather' },
  { kind: 'add', message: 'Added' },
  { kind: 'change', message: 'Changed' },
  { kind: 'move', message: 'Moved' },
  { kind: 'remove', message: 'Removed' },
  { kind: 'capture', message: 'Captures' },
  { kind: 'other', message: 'Requests and the rest' },
];

export const NO_FILTER: Filter = {
  kinds: KINDS.map(({ kind }) => kind).filter((kind) => kind !== 'other'),
  who: null,
  object: null,
  text: '',
};

export const isFiltered = ({ kinds, who, object, text }: Filter): boolean =>
  who !== null || object !== null || text !== '' || kinds.join() !== NO_FILTER.kinds.join();

/** In the order of the list, so that the same kinds are the same filter. */
export const toggleKind = (filter: Filter, kind: Kind): Filter => ({
  ...filter,
  kinds: KINDS.map((one) => one.kind).filter((one) => filter.kinds.includes(one) !== (one === kind)),
});
