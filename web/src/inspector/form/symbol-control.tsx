import { type ReactElement, useEffect, useState } from 'react';
import { useSymbol } from '../../map/flow/symbols.ts';
import type { Client } from 'topolog/client';
import { sentenceOf } from '../../store/notices.ts';
import { Button } from '../../ui/button.tsx';
import { t } from '../../words/words.ts';
import type { ControlProps } from './controls.tsx';
import { useFormScope } from './form-scope.ts';

/** Symbols shown at once; the others are found by typing. */
const MOST = 60;

const nameOf = (symbol: string): string => symbol.replace(/^:\/symbols\//, '').replace(/\.\w+$/, '');

/** The picture of a node, and others to take instead. */
export const SymbolControl = ({ id, describedBy, editing }: ControlProps): ReactElement => {
  const { client } = useFormScope();
  const [isOpen, setOpen] = useState(false);
  const { draft, agreed, isReadOnly } = editing;
  const symbol = typeof draft === 'string' && draft !== '' ? draft : null;
  return (
    <div className="symbol-field">
      <Button
        id={id}
        className="symbol-now"
        aria-describedby={describedBy}
        aria-expanded={isOpen}
        disabled={isReadOnly}
        onClick={() => setOpen(!isOpen)}
      >
        {symbol === null ? (
          t(agreed.isMixed ? 'mixed' : 'as usual')
        ) : (
          <>
            <Picture client={client} symbol={symbol} />
            <span className="symbol-name">{nameOf(symbol)}</span>
          </>
        )}
      </Button>
      {isOpen && (
        <SymbolList
          client={client}
          selected={symbol}
          onSelect={(wanted) => {
            setOpen(false);
            editing.commit(wanted);
          }}
        />
      )}
    </div>
  );
};

const Picture = ({ client, symbol }: { client: Client; symbol: string }): ReactElement => {
  const url = useSymbol(client, symbol);
  return url === null ? <span className="symbol-picture" /> : <img className="symbol-picture" src={url} alt="" />;
};

interface ListProps {
  readonly client: Client;
  readonly selected: string | null;
  readonly onSelect: (symbol: string) => void;
}

const SymbolList = ({ client, selected, onSelect }: ListProps): ReactElement => {
  const [symbols, setSymbols] = useState<readonly string[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [text, setText] = useState('');
  useEffect(() => {
    const ending = new AbortController();
    client.get('/v2/symbols', { signal: ending.signal }).then(
      (list) => setSymbols(list.map(({ symbol_id: of }) => of)),
      (error: unknown) => {
        if (!ending.signal.aborted) setProblem(sentenceOf(error));
      },
    );
    return () => ending.abort();
  }, [client]);
  const found = (symbols ?? []).filter((symbol) => symbol.toLowerCase().includes(text.toLowerCase()));
  return (
    <div className="symbol-list">
      <input
        type="search"
        aria-label={t('Search symbols')}
        placeholder={t('Search symbols')}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      {problem !== null && <p className="problem wrap">{problem}</p>}
      {symbols === null && problem === null && <p className="note">{t('Loading …')}</p>}
      <div className="symbol-grid">
        {found.slice(0, MOST).map((symbol) => (
          <button
            key={symbol}
            type="button"
            className="symbol"
            aria-pressed={symbol === selected}
            aria-label={nameOf(symbol)}
            title={nameOf(symbol)}
            onClick={() => onSelect(symbol)}
          >
            <Picture client={client} symbol={symbol} />
          </button>
        ))}
      </div>
      {found.length > MOST && <p className="note">{t('and {count} more', { count: found.length - MOST })}</p>}
    </div>
  );
};
