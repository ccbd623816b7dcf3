import type { IconName } from '../../ui/icon.tsx';

/** One thing that a search can find. */
export interface SearchEntry {
  readonly key: string;
  readonly text: string;
  /** A short description, or the place. */
  readonly note: string;
  readonly icon: IconName;
  readonly isDisabled: boolean;
  readonly run: () => void;
}

const MAX_RESULTS = 50;

/**
 * How well words fit a text; null: they do not. Each word has to be in it: best at the beginning of the text, then of a word of it,
 * then anywhere; a shorter text fits better.
 */
export const scoreOf = (text: string, sought: string): number | null => {
  const inside = text.toLowerCase();
  let worth = 0;
  for (const word of sought.toLowerCase().split(/\s+/).filter(Boolean)) {
    const at = inside.indexOf(word);
    if (at < 0) return null;
    const isStart = at === 0 || /[^\p{L}\p{N}]/u.test(inside.charAt(at - 1));
    worth += at === 0 ? 3 : isStart ? 2 : 1;
  }
  return worth - inside.length / 1000;
};

/** The entries that fit, best first; without words as they were given. */
export const ranked = (entries: readonly SearchEntry[], sought: string): readonly SearchEntry[] => {
  if (sought.trim() === '') return entries.slice(0, MAX_RESULTS);
  return entries
    .map((entry) => ({ entry, worth: scoreOf(`${entry.text} ${entry.note}`, sought) }))
    .filter((one): one is { entry: SearchEntry; worth: number } => one.worth !== null)
    .sort((a, b) => b.worth - a.worth)
    .slice(0, MAX_RESULTS)
    .map(({ entry }) => entry);
};
