import { type ReactElement, useEffect, useState } from 'react';
import type { Client } from 'topolog/client';
import { createStore } from '../../store/store.ts';
import { useStore } from '../../store/use-store.ts';
import { IconButton } from '../../ui/button.tsx';
import { t } from '../../words/words.ts';
import { SearchDialog } from './search-dialog.tsx';

const isOpen = createStore(false);

/** Ctrl+K anywhere but in a terminal, which has its own use for it. */
const isAsked = (event: KeyboardEvent): boolean =>
  (event.ctrlKey || event.metaKey) &&
  !event.altKey &&
  event.key.toLowerCase() === 'k' &&
  !(event.target instanceof Element && event.target.closest('.xterm') !== null);

/** The search over everything. It is there with the page: what is typed behind its key goes into it. */
export const Search = ({ client }: { client: Client }): ReactElement | null => {
  const isShown = useStore(isOpen);
  const [before, setBefore] = useState<Element | null>(null);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!isAsked(event)) return;
      event.preventDefault();
      const field = document.querySelector<HTMLInputElement>('dialog.search input');
      if (field !== null) {
        field.select();
        return;
      }
      setBefore(document.activeElement);
      isOpen.set(true);
    };
    addEventListener('keydown', press, true);
    return () => removeEventListener('keydown', press, true);
  }, []);
  if (!isShown) return null;
  const close = (): void => {
    isOpen.set(false);
    if (before instanceof HTMLElement || before instanceof SVGElement) before.focus({ preventScroll: true });
  };
  return <SearchDialog client={client} onClose={close} />;
};

export const SearchButton = (): ReactElement => (
  <IconButton icon="search" label={t('Search everything (Ctrl+K)')} onClick={() => isOpen.set(true)} />
);
