import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { type ITheme, Terminal } from '@xterm/xterm';
import { isDark } from '../app/user/theme.ts';
import { fontSize } from './font-size.ts';
import '@xterm/xterm/css/xterm.css';

/** A terminal’s screen; its element may be moved about on the page without losing what is on it. */
export interface Screen {
  readonly element: HTMLElement;
  readonly terminal: Terminal;
  /** Answers whether it is there. */
  readonly find: (text: string, isBackwards: boolean) => boolean;
  readonly stopFinding: () => void;
  /** What is selected; with nothing selected all that is there. */
  readonly text: () => string;
  /** It stands on the page; the first time it takes the focus, for what is typed next. */
  readonly arrive: () => void;
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

export const createScreen = ({ label, size, isReadOnly = false }: Options): Screen => {
  const element = document.createElement('div');
  element.className = 'screen';
  const terminal = new Terminal({
    ...size,
    fontSize: fontSize.get(),
    fontFamily: 'ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace',
    theme: isDark.get() ? DARK : LIGHT,
    minimumContrastRatio: 4.5,
    scrollback: 10_000,
    disableStdin: isReadOnly,
    allowProposedApi: true,
    overviewRuler: { width: 8 },
  });
  const search = new SearchAddon();
  const fit = new FitAddon();
  terminal.loadAddon(search);
  terminal.loadAddon(fit);
  terminal.open(element);
  terminal.textarea?.setAttribute('aria-label', label);
  const refit = (): void => {
    // Hidden ones have no size.
    if (size === undefined && element.clientWidth > 0 && element.clientHeight > 0) fit.fit();
  };
  const observer = new ResizeObserver(refit);
  observer.observe(element);
  const endings = [
    isDark.subscribe(() => (terminal.options.theme = isDark.get() ? DARK : LIGHT)),
    fontSize.subscribe(() => {
      terminal.options.fontSize = fontSize.get();
      refit();
    }),
  ];
  const options = { decorations: COLOURS_OF_MATCHES };
  let isNew = !isReadOnly;
  return {
    element,
    terminal,
    find: (text, isBackwards) => (isBackwards ? search.findPrevious(text, options) : search.findNext(text, options)),
    stopFinding: () => search.clearDecorations(),
    arrive: () => {
      if (isNew) terminal.focus();
      isNew = false;
    },
    text: () => (terminal.hasSelection() ? terminal.getSelection() : allOf(terminal)),
    dispose: () => {
      for (const end of endings) end();
      observer.disconnect();
      terminal.dispose();
      element.remove();
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
