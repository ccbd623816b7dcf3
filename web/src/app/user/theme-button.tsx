import type { ReactElement } from 'react';
import { useStore } from '../../store/use-store.ts';
import { IconButton } from '../../ui/button.tsx';
import { type Theme, theme } from './theme.ts';
import { t } from '../../words/words.ts';

const NEXT: Readonly<Record<Theme, Theme>> = { auto: 'light', light: 'dark', dark: 'auto' };
const ICONS = { auto: 'system', light: 'light', dark: 'dark' } as const;
const NAMES = { auto: 'as the system has them', light: 'light', dark: 'dark' } as const;

export const ThemeButton = (): ReactElement => {
  const now = useStore(theme);
  return (
    <IconButton
      icon={ICONS[now]}
      label={t('Colours: {now}. Change to {next}', { now: t(NAMES[now]), next: t(NAMES[NEXT[now]]) })}
      onClick={() => theme.set(NEXT[now])}
    />
  );
};
