import type { KeyboardEvent } from 'react';
import type { Place, Target } from '../edit/targets.ts';
import type { Editing } from '../edit/use-edit.ts';

export interface ControlProps {
  readonly id: string;
  readonly describedBy: string;
  readonly place: Place;
  readonly targets: readonly Target[];
  readonly editing: Editing;
}

/** Enter applies, Escape takes back what was typed; where nothing was, it leaves the form. */
export const fieldKeys =
  ({ commit, revert, isDirty }: Editing) =>
  (event: KeyboardEvent): void => {
    if (event.key === 'Enter') {
      event.preventDefault();
      commit();
    }
    if (event.key === 'Escape' && isDirty) {
      event.stopPropagation();
      revert();
    }
  };
