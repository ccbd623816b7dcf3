import { useEffect } from 'react';
import type { MapScope } from './flow/use-map-scope.ts';

/** What takes every key for itself: what is typed into, what is open over the map, and what is read beside it. */
const TAKES_ALL =
  'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable=true], dialog, [role=menu], [role=slider], .xterm, .node-rename, .notes';
/** What has keys of its own, and leaves letters and shortcuts to the map. */
const TAKES_SOME =
  'button, a[href], input, summary, [role=tab], [role=separator], [role=grid], [role=listbox], audio, video';
const PASSED = /^(?:[a-z0-9/?+=#-]|F2|Delete)$/i;

const isInMap = (target: Element): boolean => target.closest('.react-flow__node, .react-flow__edge') !== null;

/** What has the focus; a clipboard's event is told to where the caret was last, which may be elsewhere. */
const isTaken = (target: EventTarget | null): boolean =>
  !(target instanceof Element) ||
  target.closest(TAKES_ALL) !== null ||
  document.querySelector('dialog[open], [role=menu]') !== null;

const isForMap = (event: KeyboardEvent): boolean => {
  if (event.defaultPrevented || isTaken(event.target)) return false;
  const target = event.target as Element;
  if (isInMap(target) || target.closest(TAKES_SOME) === null) return true;
  return PASSED.test(event.key);
};

/** Somebody copies text of the page. */
const hasText = (): boolean => (getSelection()?.toString() ?? '') !== '';

/** The map has the keys of its page, and its clipboard, unless something else has the focus that takes them. */
export const useMapKeys = (scope: MapScope): void => {
  useEffect(() => {
    const key = (event: KeyboardEvent): void => {
      if (!isForMap(event)) return;
      const focused = (event.target as Element).closest('.react-flow [data-id]')?.getAttribute('data-id') ?? null;
      if (scope.press(event, focused)) event.preventDefault();
    };
    const copy = (event: ClipboardEvent): void => {
      if (!event.defaultPrevented && !isTaken(document.activeElement) && !hasText()) scope.onCopy(event);
    };
    const paste = (event: ClipboardEvent): void => {
      if (!event.defaultPrevented && !isTaken(document.activeElement)) scope.onPaste(event);
    };
    addEventListener('keydown', key);
    addEventListener('copy', copy);
    addEventListener('cut', copy);
    addEventListener('paste', paste);
    return () => {
      removeEventListener('keydown', key);
      removeEventListener('copy', copy);
      removeEventListener('cut', copy);
      removeEventListener('paste', paste);
    };
  }, [scope]);
};
