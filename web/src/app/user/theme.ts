import { createStore } from '../../store/store.ts';

export type Theme = 'auto' | 'light' | 'dark';

const KEY = 'topolog.theme';
const isTheme = (value: unknown): value is Theme => value === 'auto' || value === 'light' || value === 'dark';

const kept = localStorage.getItem(KEY);
export const theme = createStore<Theme>(isTheme(kept) ? kept : 'auto');

const systemIsDark = matchMedia('(prefers-color-scheme: dark)');
/** True while the page is shown in dark colours, whether chosen or taken from the system. */
export const isDark = createStore(false);

const apply = (): void => {
  const wanted = theme.get();
  const dark = wanted === 'auto' ? systemIsDark.matches : wanted === 'dark';
  document.documentElement.dataset['theme'] = dark ? 'dark' : 'light';
  isDark.set(dark);
};

/** Follows the wish of the user, and of the system. */
export const followTheme = (): void => {
  apply();
  systemIsDark.addEventListener('change', apply);
  theme.subscribe(() => {
    localStorage.setItem(KEY, theme.get());
    apply();
  });
};
