import type { Principal } from '../../events/event.ts';
import { type Edit, isSamePerson } from './edit.ts';

/** An edit as it stands: done, or taken back. */
export interface Standing {
  edit: Edit;
  /** The last of those that did it and took it back: what is to be taken back next. */
  latest: Edit;
  isUndone: boolean;
  /** An edit that its person made later keeps it from being done again. */
  isOver: boolean;
}

/** Every edit that is not one that takes back another, newest first, and whether it is undone: known from the log alone. */
export const standings = (edits: readonly Edit[]): Standing[] => {
  /** By the position of each that did it or took it back. */
  const by = new Map<number, Standing>();
  const all: Standing[] = [];
  for (const edit of edits) {
    if (edit.undoes !== null) {
      const standing = by.get(edit.undoes);
      // What it takes back is older than what is known.
      if (standing === undefined) continue;
      by.set(edit.position, standing);
      standing.latest = edit;
      standing.isUndone = !standing.isUndone;
      continue;
    }
    for (const other of all) if (other.isUndone && isSamePerson(other.edit.by, edit.by)) other.isOver = true;
    const standing = { edit, latest: edit, isUndone: false, isOver: false };
    by.set(edit.position, standing);
    all.push(standing);
  }
  return all.reverse();
};

/** What somebody would undo or redo next. */
export const nextOf = (all: readonly Standing[], by: Principal, what: 'undo' | 'redo'): Standing | undefined => {
  const own = all.filter(({ edit }) => isSamePerson(edit.by, by));
  if (what === 'undo') return own.find(({ isUndone }) => !isUndone);
  // The one that was undone last.
  const undone = own.filter(({ isUndone, isOver }) => isUndone && !isOver);
  return undone.sort((a, b) => b.latest.position - a.latest.position)[0];
};
