import { createStore } from '../../store/store.ts';

const KEY = 'topolog.console.font';
const SIZES = [9, 10, 11, 12, 13, 14, 16, 18, 20, 24, 28, 32] as const;

const kept = Number(localStorage.getItem(KEY));

/** Pixels; of all consoles, and kept. */
export const fontSize = createStore<number>((SIZES as readonly number[]).includes(kept) ? kept : 14);

export const changeFontSize = (steps: 1 | -1): void => {
  const index = SIZES.findIndex((size) => size === fontSize.get());
  const next = SIZES[index + steps];
  if (next === undefined) return;
  localStorage.setItem(KEY, String(next));
  fontSize.set(next);
};
