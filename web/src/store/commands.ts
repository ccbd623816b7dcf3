import type { IconName } from '../ui/icon.tsx';
import { createStore } from './store.ts';

/** Something that can be searched for and done. */
export interface Command {
  /** Stays the same while its text changes. */
  readonly id: string;
  readonly text: string;
  /** A short description, or the place. */
  readonly note?: string;
  readonly icon?: IconName;
  /** Keys that do the same, as people read them. */
  readonly keys?: string;
  readonly isDisabled?: boolean;
  readonly run: () => void;
}

/** A function is asked when somebody searches. */
export type Offer = readonly Command[] | (() => readonly Command[]);

/** Commands that the parts of the page offer at the moment. */
export const commands = createStore<readonly Offer[]>([]);

/** Offers commands until the answer is called. */
export const offer = (list: Offer): (() => void) => {
  commands.update((now) => [...now, list]);
  return () => commands.update((now) => now.filter((one) => one !== list));
};
