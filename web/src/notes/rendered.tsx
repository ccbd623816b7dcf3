import { type MouseEvent, type ReactElement, useDeferredValue, useLayoutEffect, useMemo, useRef } from 'react';
import { useScope } from '../app/lab-context.tsx';
import { htmlOf } from './markdown.ts';
import { withTaskTurned } from './tasks.ts';

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
