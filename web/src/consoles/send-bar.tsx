import { type ReactElement, type SubmitEvent, useState } from 'react';
import { useScope } from '../app/lab-context.tsx';
import { unreachableOf } from '../computes/computes.ts';
import type { Node } from '../store/records.ts';
import { useStore } from '../store/use-store.ts';
import { openBehind } from '../store/workbench.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { t } from '../words/words.ts';
import { sendTo } from './screens/terminals.ts';
import './send-bar.css';

/** Character that the Enter key types. */
const ENTER = '\r';

const canType = (node: Node): boolean =>
  node.console_type === 'telnet' && node.status === 'started' && unreachableOf(node) === null;

/** A line that is typed once, and sent to the consoles of several nodes. */
const SendBar = ({ onClose }: { onClose: () => void }): ReactElement => {
  const { lab, workbench } = useScope();
  const nodes = useStore(lab.state, ({ records }) => records.nodes);
  const able = [...nodes.values()].filter(canType).sort((a, b) => a.name.localeCompare(b.name));
  const open = useStore(workbench, (now) => now.panels);
  const [wanted, setWanted] = useState<ReadonlySet<string>>(
    () => new Set(open.flatMap((panel) => (panel.kind === 'console' ? [panel.nodeId] : []))),
  );
  const [line, setLine] = useState('');
  const [said, setSaid] = useState('');
  const to = able.filter(({ node_id }) => wanted.has(node_id));
  const want = (ids: readonly string[]): void => {
    setWanted(new Set(ids));
    workbench.update(openBehind(ids.map((nodeId) => ({ kind: 'console', nodeId }))));
  };
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    const missed = to.filter(({ node_id }) => !sendTo(workbench, node_id, `${line}${ENTER}`));
    const sent = t('Sent to {count, plural, one {# console} other {# consoles}}: {line}', {
      count: to.length - missed.length,
      line,
    });
    const left = t('not to {names}', { names: missed.map(({ name }) => name).join(', ') });
    setSaid(missed.length === 0 ? sent : `${sent}; ${left}`);
    setLine('');
  };
  return (
    <section className="send-bar" aria-label={t('Send to several consoles')}>
      <Choice able={able} wanted={wanted} onWanted={want} />
      <Button onClick={() => want(to.length === able.length ? [] : able.map(({ node_id }) => node_id))}>
        {to.length === able.length ? t('None') : t('All')}
      </Button>
      <form className="send-line" onSubmit={send}>
        <LineField count={to.length} line={line} onLine={setLine} onClose={onClose} />
        <Button icon="send" type="submit" disabled={to.length === 0}>
          {t('Send')}
        </Button>
      </form>
      <span className="note send-said" role="status" title={said}>
        {said}
      </span>
      <IconButton icon="close" label={t('Stop sending to several')} onClick={onClose} />
    </section>
  );
};
export default SendBar;

interface ChoiceProps {
  readonly able: readonly Node[];
  readonly wanted: ReadonlySet<string>;
  readonly onWanted: (ids: readonly string[]) => void;
}

const Choice = ({ able, wanted, onWanted }: ChoiceProps): ReactElement => (
  <fieldset className="send-to">
    <legend className="visually-hidden">{t('Consoles that get it')}</legend>
    {able.map(({ node_id: id, name }) => (
      <label key={id}>
        <input
          type="checkbox"
          checked={wanted.has(id)}
          onChange={({ target: { checked } }) => {
            const others = able.map(({ node_id }) => node_id).filter((one) => one !== id && wanted.has(one));
            onWanted(checked ? [...others, id] : others);
          }}
        />
        {name}
      </label>
    ))}
  </fieldset>
);

interface LineProps {
  /** Number of consoles. */
  readonly count: number;
  readonly line: string;
  readonly onLine: (line: string) => void;
  readonly onClose: () => void;
}

const LineField = ({ count, line, onLine, onClose }: LineProps): ReactElement => (
  <input
    type="text"
    aria-label={t('Line to send')}
    placeholder={t('Type once; Enter sends it to {count, plural, one {# console} other {# consoles}}', { count })}
    value={line}
    autoFocus
    autoComplete="off"
    spellCheck={false}
    onChange={({ target }) => onLine(target.value)}
    onKeyDown={(event) => {
      event.stopPropagation();
      if (event.key === 'Escape') onClose();
    }}
  />
);
