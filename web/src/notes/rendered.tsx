import DOMPurify from 'dompurify';
import { Marked } from 'marked';
import { type MouseEvent, type ReactElement, useDeferredValue, useLayoutEffect, useMemo, useRef } from 'react';
import { useScope } from '../app/lab-context.tsx';
import { withoutHandlers } from '../map/draw/without-handlers.ts';
import { withTaskTurned } from './tasks.ts';

/** Longer ones are shown as they are: nobody has written them. Characters. */
const LONGEST = 200_000;
/** A lab has a heading of its own above these. */
const FIRST_LEVEL = 2;
const LAST_LEVEL = 6;

const marked = new Marked({ gfm: true, async: false });

const TAGS = [
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'p',
  'br',
  'hr',
  'blockquote',
  'pre',
  'code',
  'kbd',
  'a',
  'img',
  'input',
  'ul',
  'ol',
  'li',
  'table',
  'thead',
  'tbody',
  'tr',
  'th',
  'td',
  'em',
  'strong',
  'b',
  'i',
  's',
  'del',
  'sub',
  'sup',
];
const ATTRIBUTES = ['href', 'title', 'src', 'alt', 'start', 'align', 'checked', 'type'];
const ELSEWHERE = /^(?:https?:|mailto:)/i;
const SCHEME = /^[a-z][a-z\d+.-]*:/i;
const PICTURE = /^data:image\/(?:png|jpe?g|gif|webp);/i;

const purify = DOMPurify(window);

/** Where a name in the notes leads: elsewhere, or to a file beside them. Null: nowhere. */
const addressOf = (href: string, files: string): string | null => {
  if (ELSEWHERE.test(href)) return href;
  if (SCHEME.test(href) || /^[/\\#?]/.test(href) || href === '') return null;
  return `${files}${href.split('/').map(encodeURIComponent).join('/')}`;
};

const renamed = (element: Element, tag: string): void => {
  const other = document.createElement(tag);
  other.append(...element.childNodes);
  element.replaceWith(other);
};

const setLinks = (root: DocumentFragment, files: string): void => {
  for (const link of root.querySelectorAll('a')) {
    const to = addressOf(link.getAttribute('href') ?? '', files);
    if (to === null) link.replaceWith(...link.childNodes);
    else {
      link.href = to;
      link.target = '_blank';
      link.rel = 'noopener noreferrer';
    }
  }
};

/** One from elsewhere would tell its server who reads the notes: its words stand for it. */
const setPictures = (root: DocumentFragment): void => {
  for (const picture of root.querySelectorAll('img'))
    if (!PICTURE.test(picture.getAttribute('src') ?? '')) picture.replaceWith(picture.alt);
};

/** Boxes that are no tasks of a list are nothing. */
const setTasks = (root: DocumentFragment, isReadOnly: boolean): void => {
  let count = 0;
  for (const box of root.querySelectorAll('input')) {
    const item = box.closest('li');
    if (box.getAttribute('type') !== 'checkbox' || item === null) {
      box.remove();
      continue;
    }
    item.classList.add('todo');
    box.disabled = isReadOnly;
    box.dataset['task'] = `${count++}`;
    box.setAttribute('aria-label', (item.textContent ?? '').trim().split('\n')[0] ?? '');
  }
};

interface Rendering {
  /** Address below which the files of the project are. */
  readonly files: string;
  /** Tasks cannot be done. */
  readonly isReadOnly: boolean;
}

/** Markdown as HTML that does nothing: no script, no form, nothing from elsewhere. Links open in a tab of their own. */
const htmlOf = (text: string, { files, isReadOnly }: Rendering): string => {
  const holder = document.createElement('div');
  if (text.length > LONGEST) {
    const plain = document.createElement('pre');
    plain.textContent = text;
    holder.append(plain);
    return holder.innerHTML;
  }
  const root = purify.sanitize(withoutHandlers(marked.parse(text) as string), {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ATTRIBUTES,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
  for (const heading of root.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    const level = Number(heading.tagName.slice(1)) + FIRST_LEVEL - 1;
    renamed(heading, `h${Math.min(LAST_LEVEL, level)}`);
  }
  setLinks(root, files);
  setPictures(root);
  setTasks(root, isReadOnly);
  holder.append(root);
  return holder.innerHTML;
};

interface Props {
  readonly text: string;
  readonly isReadOnly: boolean;
  readonly onChange: (text: string) => void;
}

/** Notes as they read. A task is done by pressing it. */
const Rendered = ({ text: now, isReadOnly, onChange }: Props): ReactElement => {
  const { lab } = useScope();
  const text = useDeferredValue(now);
  const files = `${lab.client.url}/v2/projects/${lab.projectId}/files/`;
  const html = useMemo(() => ({ __html: htmlOf(text, { files, isReadOnly }) }), [text, files, isReadOnly]);
  const ref = useRef<HTMLDivElement>(null);
  const pressed = useRef<string | null>(null);
  useLayoutEffect(() => {
    // It is another element now.
    if (pressed.current !== null) ref.current?.querySelector<HTMLElement>(`[data-task="${pressed.current}"]`)?.focus();
    pressed.current = null;
  }, [html]);
  const press = (event: MouseEvent): void => {
    const { target } = event;
    if (!(target instanceof HTMLInputElement) || isReadOnly) return;
    const task = target.dataset['task'] ?? '';
    const turned = withTaskTurned(now, Number(task), ref.current?.querySelectorAll('[data-task]').length ?? 0);
    if (turned === null) return event.preventDefault();
    pressed.current = task;
    onChange(turned);
  };
  return <div ref={ref} className="markdown" onClick={press} dangerouslySetInnerHTML={html} />;
};
export default Rendered;
