import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { type ITerminalInitOnlyOptions, type ITerminalOptions, type ITheme, Terminal } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import { isDark } from '../../app/user/theme.ts';
import { createStore, type Store } from '../../store/store.ts';

const KEY = 'topolog.console.font';
const SIZES = [9, 10, 11, 12, 13, 14, 16, 18, 20, 24, 28, 32] as const;

const kept = Number(localStorage.getItem(KEY));

/** Pixels; of all consoles, and kept. */
const fontSize = createStore<number>((SIZES as readonly number[]).includes(kept) ? kept : 14);

export const changeFontSize = (steps: 1 | -1): void => {
  const index = SIZES.findIndex((size) => size === fontSize.get());
  const next = SIZES[index + steps];
  if (next === undefined) return;
  localStorage.setItem(KEY, String(next));
  fontSize.set(next);
};

/** How often a text is there, and which of them is shown, from 1 on; 0: none of those that are counted. */
export interface Found {
  readonly count: number;
  readonly index: number;
}

/** A terminal’s screen; its element may be moved about on the page without losing what is on it. */
export interface Screen {
  readonly element: HTMLElement;
  readonly terminal: Terminal;
  /** Goes to the next one. */
  readonly find: (text: string, isBackwards: boolean) => void;
  /** Null while nothing is looked for. */
  readonly found: Store<Found | null>;
  readonly stopFinding: () => void;
  /** Text of the selection; with nothing selected all of the text. */
  readonly text: () => string;
  /** All that is there, whatever is selected. */
  readonly everything: () => string;
  /** It stands on the page; the first time it takes the focus, for what is typed next, unless it comes quietly. */
  readonly arrive: (isQuiet: boolean) => void;
  readonly dispose: () => void;
}

const LIGHT: ITheme = {
  background: '#ffffff',
  foreground: '#16202b',
  cursor: '#0b5cad',
  selectionBackground: '#b9d7f5',
  overviewRulerBorder: '#c5ced8',
};
const DARK: ITheme = {
  background: '#0c1015',
  foreground: '#e8edf2',
  cursor: '#6db3f8',
  selectionBackground: '#2f5a86',
  overviewRulerBorder: '#3a4652',
};

/** The typeface comes with the page, but need not be there yet. */
const FACE = '"JetBrains Mono Variable"';
const FALLBACK = 'ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace';
/** Leaves room for descenders within the line. */
const LINE_HEIGHT = 1.1;
/** More finds than these are not counted. */
const MOST_FINDS = 1000;

interface Options {
  /** How it is called for those who do not see it. */
  readonly label: string;
  /** Keeps its size whatever room there is, as recordings do. */
  readonly size?: { readonly cols: number; readonly rows: number };
  readonly isReadOnly?: boolean;
}

const COLOURS_OF_MATCHES = {
  matchBackground: '#7a4d00',
  activeMatchBackground: '#6b2fa0',
  matchOverviewRuler: '#7a4d00',
  activeMatchColorOverviewRuler: '#6b2fa0',
};

const createTerminal = (options: ITerminalOptions & ITerminalInitOnlyOptions): Terminal =>
  new Terminal({
    ...options,
    fontSize: fontSize.get(),
    fontFamily: FALLBACK,
    lineHeight: LINE_HEIGHT,
    theme: isDark.get() ? DARK : LIGHT,
    minimumContrastRatio: 4.5,
    scrollback: 10_000,
    allowProposedApi: true,
    overviewRuler: { width: 8 },
  });

export const createScreen = ({ label, size, isReadOnly = false }: Options): Screen => {
  const element = document.createElement('div');
  element.className = 'screen';
  const terminal = createTerminal({ ...size, disableStdin: isReadOnly });
  terminal.open(element);
  terminal.textarea?.setAttribute('aria-label', label);
  const finding = createFinding(terminal);
  const fit = size === undefined ? createFit(terminal, element) : null;
  void document.fonts.load(`16px ${FACE}`).then(() => {
    terminal.options.fontFamily = `${FACE}, ${FALLBACK}`;
    fit?.go();
  });
  const endings = [
    isDark.subscribe(() => (terminal.options.theme = isDark.get() ? DARK : LIGHT)),
    fontSize.subscribe(() => {
      terminal.options.fontSize = fontSize.get();
      fit?.go();
    }),
  ];
  let isNew = !isReadOnly;
  return {
    element,
    terminal,
    ...finding,
    arrive: (isQuiet) => {
      if (isNew && !isQuiet) terminal.focus();
      isNew = false;
    },
    everything: () => allOf(terminal),
    text: () => (terminal.hasSelection() ? terminal.getSelection() : allOf(terminal)),
    dispose: () => {
      for (const end of endings) end();
      fit?.end();
      terminal.dispose();
      element.remove();
    },
  };
};

interface Fit {
  readonly go: () => void;
  readonly end: () => void;
}

/**
 * Fits a terminal into its element, while it is seen. xterm draws and measures only while its screen intersects with the window: what is
 * fitted before scrolls by sizes of before, and stays there. This observer of that screen is the later one, so it is told after xterm's.
 */
const createFit = (terminal: Terminal, element: HTMLElement): Fit => {
  const addon = new FitAddon();
  terminal.loadAddon(addon);
  let isSeen = false;
  const go = (): void => {
    // Hidden ones have no size.
    if (isSeen && element.clientWidth > 0 && element.clientHeight > 0) addon.fit();
  };
  const seen = new IntersectionObserver((entries) => {
    isSeen = entries.at(-1)?.isIntersecting ?? false;
    go();
  });
  seen.observe(element.querySelector('.xterm-screen') ?? element);
  const resized = new ResizeObserver(go);
  resized.observe(element);
  const end = (): void => {
    seen.disconnect();
    resized.disconnect();
  };
  return { go, end };
};

const createFinding = (terminal: Terminal): Pick<Screen, 'found' | 'find' | 'stopFinding'> => {
  const search = new SearchAddon({ highlightLimit: MOST_FINDS });
  terminal.loadAddon(search);
  const found = createStore<Found | null>(null);
  search.onDidChangeResults(({ resultCount: count, resultIndex }) => found.set({ count, index: resultIndex + 1 }));
  const options = { decorations: COLOURS_OF_MATCHES };
  return {
    found,
    find: (text, isBackwards) => {
      if (isBackwards) search.findPrevious(text, options);
      else search.findNext(text, options);
      if (text === '') found.set(null);
    },
    stopFinding: () => {
      search.clearDecorations();
      found.set(null);
    },
  };
};

const allOf = ({ buffer: { active } }: Terminal): string => {
  const lines: string[] = [];
  for (let i = 0; i < active.length; i++) {
    const line = active.getLine(i);
    const text = line?.translateToString(true) ?? '';
    if (line?.isWrapped === true && lines.length > 0) lines.push(`${lines.pop() ?? ''}${text}`);
    else lines.push(text);
  }
  return lines.join('\n').trimEnd();
};
