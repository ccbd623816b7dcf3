import { type KeyboardEvent, type ReactElement, useEffect, useRef, useState } from 'react';
import { useScope, useView } from '../app/lab-context.tsx';
import { attempt } from '../store/notices.ts';
import { t } from '../words/words.ts';
import { renameNode } from './actions/node-actions.ts';

const elementOf = (id: string): Element | null => {
  const node = document.querySelector(`.react-flow__node[data-id="${CSS.escape(id)}"]`);
  return node?.querySelector('.node-label') ?? node;
};

/** The name of a node as a field in its own place: Enter keeps what is typed, Escape does not. */
export const RenameField = ({ id, onClose }: { id: string; onClose: () => void }): ReactElement | null => {
  const { lab } = useScope();
  const node = useView().records.nodes.get(id);
  const ref = useRef<HTMLInputElement>(null);
  const isOver = useRef(false);
  const [name, setName] = useState(node?.name ?? '');
  const [place] = useState(() => elementOf(id)?.getBoundingClientRect() ?? null);
  useEffect(() => {
    ref.current?.select();
  }, []);
  if (node === undefined || place === null) return null;
  const close = (isKept: boolean): void => {
    if (isOver.current) return;
    isOver.current = true;
    onClose();
    if (isKept && name.trim() !== '' && name !== node.name)
      void attempt(() => renameNode(lab, node, name.trim()), node.name);
  };
  const key = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    event.preventDefault();
    close(event.key === 'Enter');
    document.querySelector<HTMLElement>(`.react-flow [data-id="${CSS.escape(id)}"]`)?.focus();
  };
  return (
    <input
      ref={ref}
      className="node-rename"
      aria-label={t('Name of {name}', { name: node.name })}
      autoFocus
      autoComplete="off"
      spellCheck={false}
      value={name}
      style={{
        left: place.left + place.width / 2,
        top: place.top + place.height / 2,
        width: `${Math.max(8, name.length + 4)}ch`,
      }}
      onChange={({ target }) => setName(target.value)}
      onKeyDown={key}
      onBlur={() => close(true)}
    />
  );
};
