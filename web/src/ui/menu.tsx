import { type KeyboardEvent, type ReactElement, useEffect, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { t } from '../words/words.ts';
import { Icon, type IconName } from './icon.tsx';

export interface MenuItem {
  readonly text: string;
  readonly icon?: IconName;
  readonly onChoose: () => void;
  readonly isDisabled?: boolean;
  /** A second line. */
  readonly note?: string;
  readonly isDanger?: boolean;
  /** One of several: whether it is the one now. */
  readonly isOn?: boolean;
  /** A line above it. */
  readonly startsGroup?: boolean;
}

interface Props {
  readonly label: string;
  readonly items: readonly MenuItem[];
  /** Point of the screen, in pixels. */
  readonly at: { readonly x: number; readonly y: number };
  readonly onClose: () => void;
}

const EDGE = 8;

/** A menu over everything, at a point, walked through with the arrow keys. */
export const Menu = ({ label, items, at, onClose }: Props): ReactElement => {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const menu = ref.current;
    if (menu === null) return undefined;
    const place = (): void => {
      const { width, height } = menu.getBoundingClientRect();
      menu.style.left = `${Math.max(EDGE, Math.min(at.x, innerWidth - width - EDGE))}px`;
      menu.style.top = `${Math.max(EDGE, Math.min(at.y, innerHeight - height - EDGE))}px`;
    };
    place();
    addEventListener('resize', place);
    const before = document.activeElement;
    choicesOf(menu)[0]?.focus();
    return () => {
      removeEventListener('resize', place);
      if (before instanceof HTMLElement || before instanceof SVGElement) before.focus({ preventScroll: true });
    };
  }, [at.x, at.y]);
  useEffect(() => {
    const outside = (event: Event): void => {
      if (!ref.current?.contains(event.target as globalThis.Node)) onClose();
    };
    addEventListener('pointerdown', outside, true);
    addEventListener('blur', onClose);
    return () => {
      removeEventListener('pointerdown', outside, true);
      removeEventListener('blur', onClose);
    };
  }, [onClose]);
  return createPortal(
    // Outside of all other landmarks, so it is one.
    <section aria-label={t('Menu')}>
      <div
        ref={ref}
        className="menu"
        role="menu"
        aria-label={label}
        onKeyDown={(event) => walk(event, ref.current, onClose)}
      >
        {items.map((item, index) => (
          <MenuButton key={`${index} ${item.text}`} item={item} onClose={onClose} />
        ))}
      </div>
    </section>,
    document.body,
  );
};

const MenuButton = ({ item, onClose }: { item: MenuItem; onClose: () => void }): ReactElement => (
  <button
    type="button"
    role={item.isOn === undefined ? 'menuitem' : 'menuitemradio'}
    aria-checked={item.isOn}
    tabIndex={-1}
    // Not disabled: one that has the focus keeps it, and says why it cannot be used.
    aria-disabled={item.isDisabled}
    className={`menu-item${item.isDanger === true ? ' danger' : ''}${item.startsGroup === true ? ' starts' : ''}`}
    onClick={() => {
      if (item.isDisabled === true) return;
      onClose();
      item.onChoose();
    }}
  >
    {item.icon === undefined ? <span className="icon" /> : <Icon name={item.icon} />}
    {item.note === undefined ? (
      item.text
    ) : (
      <span className="menu-text">
        {item.text} <span className="note">{item.note}</span>
      </span>
    )}
    {item.isOn === true && <Icon name="check" />}
  </button>
);

const choicesOf = (menu: HTMLElement): HTMLElement[] => [...menu.querySelectorAll<HTMLElement>('[role^=menuitem]')];

const walk = (event: KeyboardEvent, menu: HTMLElement | null, onClose: () => void): void => {
  if (menu === null) return;
  event.stopPropagation();
  const choices = choicesOf(menu);
  const now = choices.findIndex((choice) => choice === document.activeElement);
  const next = nextIndex(event.key, now, choices.length);
  if (event.key === 'Escape' || event.key === 'Tab') {
    event.preventDefault();
    onClose();
  } else if (next !== null) {
    event.preventDefault();
    choices[next]?.focus();
  } else if (event.key.length === 1 && event.key !== ' ') {
    const begins = (choice: HTMLElement): boolean =>
      (choice.textContent ?? '').toLowerCase().startsWith(event.key.toLowerCase());
    [...choices.slice(now + 1), ...choices.slice(0, now + 1)].find(begins)?.focus();
  }
};

const nextIndex = (key: string, now: number, count: number): number | null => {
  if (key === 'ArrowDown') return (now + 1) % count;
  if (key === 'ArrowUp') return (now - 1 + count) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : null;
};
