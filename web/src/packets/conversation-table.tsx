import { type ReactElement, useEffect, useMemo, useState } from 'react';
import { useScope } from '../app/lab-context.tsx';
import { sentenceOf } from '../store/notices.ts';
import { Button } from '../ui/button.tsx';
import { t } from '../words/words.ts';
import { sayPacketTime } from './rows.ts';
import { type Conversation, type Conversations, type Layer, readConversations } from './server.ts';

type Column = 'protocol' | 'one' | 'other' | 'frames' | 'octets' | 'first' | 'last';

const VALUES: Readonly<Record<Column, (row: Conversation) => number | string>> = {
  protocol: ({ protocol }) => protocol,
  one: ({ ends: [{ address, port }] }) => `${address} ${String(port ?? 0).padStart(5, '0')}`,
  other: ({ ends: [, { address, port }] }) => `${address} ${String(port ?? 0).padStart(5, '0')}`,
  frames: ({ frames }) => frames[0] + frames[1],
  octets: ({ octets }) => octets[0] + octets[1],
  first: ({ first }) => first,
  last: ({ last }) => last,
};

export const sortedBy = (
  rows: readonly Conversation[],
  { by, isDown }: { readonly by: Column; readonly isDown: boolean },
): readonly Conversation[] => {
  const of = VALUES[by];
  const sorted = rows.toSorted((a, b) => {
    const [one, other] = [of(a), of(b)];
    if (typeof one === 'number' && typeof other === 'number') return one - other;
    return String(one).localeCompare(String(other), undefined, { numeric: true });
  });
  return isDown ? sorted.toReversed() : sorted;
};

const AGAIN_MS = 300;

interface Props {
  readonly capture: string;
  readonly filter: string;
  readonly onFilter: (filter: string) => void;
}

const columns = (): readonly (readonly [Column, string])[] => [
  ['protocol', t('Protocol')],
  ['one', t('One end')],
  ['other', t('Other end')],
  ['frames', t('Frames')],
  ['octets', t('Octets')],
  ['first', t('First')],
  ['last', t('Last')],
];

const sayEnd = ({ address, port }: { address: string; port: number | null }): string =>
  port === null ? address : address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;

/** Conversations, sorted by any column; a press shows the packets of one. */
export const ConversationTable = ({ capture, filter, onFilter }: Props): ReactElement => {
  const [layer, setLayer] = useState<Layer>('transport');
  const [order, setOrder] = useState<{ by: Column; isDown: boolean }>({ by: 'octets', isDown: true });
  const { answer, problem } = useConversations(capture, filter, layer);
  const rows = useMemo(() => sortedBy(answer?.conversations ?? [], order), [answer, order]);
  return (
    <div className="conversations" role="region" aria-label={t('Conversations')} tabIndex={0}>
      <div className="packet-tools">
        <select aria-label={t('Between')} value={layer} onChange={({ target }) => setLayer(target.value as Layer)}>
          <option value="transport">{t('Ports of UDP and TCP')}</option>
          <option value="ip">{t('IP addresses')}</option>
          <option value="ethernet">{t('MAC addresses')}</option>
        </select>
        <span className="note" role="status">
          {problem ??
            (answer === null
              ? t('Loading …')
              : t('{count, plural, one {# conversation} other {# conversations}}', { count: rows.length }))}
          {answer !== null && !answer.complete && (
            <>
              ,{' '}
              {t('{share, number, percent} looked at', {
                share: answer.total === 0 ? 0 : answer.scanned / answer.total,
              })}
            </>
          )}
        </span>
      </div>
      <table>
        <thead>
          <tr>
            {columns().map(([by, title]) => (
              <th key={by} scope="col" aria-sort={order.by !== by ? 'none' : order.isDown ? 'descending' : 'ascending'}>
                <button type="button" onClick={() => setOrder({ by, isDown: order.by === by ? !order.isDown : true })}>
                  {title}
                </button>
              </th>
            ))}
            <th scope="col">{t('Packets')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={`${row.filter} ${row.first}`} row={row} onFilter={onFilter} />
          ))}
        </tbody>
      </table>
    </div>
  );
};

const Row = ({ row, onFilter }: { row: Conversation } & Pick<Props, 'onFilter'>): ReactElement => (
  <tr>
    <td>{row.protocol}</td>
    <td>{sayEnd(row.ends[0])}</td>
    <td>{sayEnd(row.ends[1])}</td>
    <td>{`${row.frames[0]} → ${row.frames[1]} ←`}</td>
    <td>{`${row.octets[0]} → ${row.octets[1]} ←`}</td>
    <td>{sayPacketTime(row.first)}</td>
    <td>{sayPacketTime(row.last)}</td>
    <td>
      <Button aria-label={t('Packets of {filter}', { filter: row.filter })} onClick={() => onFilter(row.filter)}>
        {t('Packets')}
      </Button>
    </td>
  </tr>
);

const useConversations = (
  capture: string,
  filter: string,
  layer: Layer,
): { answer: Conversations | null; problem: string | null } => {
  const { lab } = useScope();
  const [answer, setAnswer] = useState<Conversations | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const ending = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = async (): Promise<void> => {
      try {
        const next = await readConversations(lab, capture, { filter, layer }, ending.signal);
        setAnswer(next);
        setProblem(null);
        if (!next.complete) timer = setTimeout(() => void read(), AGAIN_MS);
      } catch (error) {
        if (!ending.signal.aborted) setProblem(sentenceOf(error));
      }
    };
    void read();
    return () => {
      ending.abort();
      clearTimeout(timer);
    };
  }, [lab, capture, filter, layer]);
  return { answer, problem };
};
