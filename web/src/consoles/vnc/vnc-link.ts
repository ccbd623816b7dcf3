import RFB from '@novnc/novnc';
import type { LinkState } from '../../store/following/kept-socket.ts';
import { createStore, type Store } from '../../store/store.ts';
import { strokesOf } from './strokes.ts';

/** The screen of a node, that connects again by itself. */
export interface VncLink {
  readonly state: Store<LinkState>;
  /** The text that was copied last there; null: none yet. */
  readonly copied: Store<string | null>;
  /** It asks for a password: it is not tried again. */
  readonly isLocked: Store<boolean>;
  readonly scale: (isFitted: boolean) => void;
  readonly ctrlAltDel: () => void;
  /** Into the clipboard there, where something there has one. */
  readonly paste: (text: string) => void;
  /** As if it was typed. */
  readonly type: (text: string) => void;
  readonly focus: () => void;
  readonly close: () => void;
}

interface Options {
  /** Where it is drawn. */
  readonly place: HTMLElement;
  readonly url: string;
  /** How it is called for those who do not see it. */
  readonly label: string;
  readonly isFitted: boolean;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;

/** Keys that are down when the screen is left, as Shift is with Shift and Escape, come up elsewhere: they are released here. */
const releaseWhenLeft = (screen: HTMLElement): void => {
  const held = new Map<string, string>();
  screen.addEventListener('keydown', ({ code, key }) => held.set(code, key));
  screen.addEventListener('keyup', ({ code }) => held.delete(code));
  screen.addEventListener('blur', () => {
    for (const [code, key] of held) screen.dispatchEvent(new KeyboardEvent('keyup', { code, key }));
  });
};

export const openVnc = ({ place, url, label, isFitted }: Options): VncLink => {
  const state = createStore<LinkState>('connecting');
  const copied = createStore<string | null>(null);
  const isLocked = createStore(false);
  let fits = isFitted;
  let rfb: RFB | null = null;
  let isClosed = false;
  let pauseMs = FIRST_PAUSE_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const connect = (): void => {
    state.set('connecting');
    const fresh = new RFB(place, url, { shared: true });
    rfb = fresh;
    fresh.scaleViewport = fits;
    fresh.background = 'transparent';
    const screen = place.querySelector('canvas');
    screen?.setAttribute('aria-label', label);
    screen?.setAttribute('role', 'application');
    screen?.setAttribute('tabindex', '0');
    if (screen !== null) releaseWhenLeft(screen);
    fresh.addEventListener('connect', () => {
      pauseMs = FIRST_PAUSE_MS;
      state.set('open');
    });
    fresh.addEventListener('clipboard', ({ detail }) => copied.set(detail.text));
    fresh.addEventListener('credentialsrequired', () => {
      isLocked.set(true);
      fresh.disconnect();
    });
    fresh.addEventListener('disconnect', () => {
      rfb = null;
      if (isClosed) return;
      state.set('lost');
      if (isLocked.get()) return;
      timer = setTimeout(connect, pauseMs);
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    });
  };
  connect();
  return {
    state,
    copied,
    isLocked,
    scale: (now) => {
      fits = now;
      if (rfb !== null) rfb.scaleViewport = now;
    },
    ctrlAltDel: () => rfb?.sendCtrlAltDel(),
    paste: (text) => rfb?.clipboardPasteFrom(text),
    type: (text) => {
      for (const [keysym, isDown] of strokesOf(text)) rfb?.sendKey(keysym, null, isDown);
    },
    focus: () => rfb?.focus(),
    close: () => {
      isClosed = true;
      clearTimeout(timer);
      rfb?.disconnect();
    },
  };
};
