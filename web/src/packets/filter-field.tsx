import { type ReactElement, useEffect, useId, useRef, useState } from 'react';
import { t } from '../words/words.ts';
import type { FilterProblem } from './server.ts';

/** A filter is tried once nobody has typed for so long. Milliseconds. */
const PAUSE_MS = 250;

interface Props {
  readonly filter: string;
  readonly onFilter: (filter: string) => void;
  readonly problem: FilterProblem | null;
}

/** A display filter: checked while one types, with the place of what is wrong. */
export const FilterField = ({ filter, onFilter, problem }: Props): ReactElement => {
  const id = useId();
  const [text, setText] = useState(filter);
  /** The filter handed over last: when it comes back, more may have been typed. */
  const own = useRef(filter);
  useEffect(() => {
    if (filter !== own.current) setText(filter);
    own.current = filter;
  }, [filter]);
  useEffect(() => {
    const timer = setTimeout(() => {
      own.current = text.trim();
      onFilter(own.current);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, onFilter]);
  const isWrong = problem !== null && text.trim() === filter;
  return (
    <div className={`packet-filter${isWrong ? ' wrong' : text.trim() === '' ? '' : ' right'}`}>
      <input
        type="search"
        aria-label={t('Display filter')}
        placeholder={t('Display filter: arp || ip.addr == 10.0.0.1')}
        value={text}
        spellCheck={false}
        autoComplete="off"
        aria-invalid={isWrong}
        aria-describedby={`${id}-problem`}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          own.current = text.trim();
          onFilter(own.current);
        }}
      />
      <div id={`${id}-problem`} role="status" className="filter-problem">
        {isWrong && (
          <>
            {problem.at !== null && <Place filter={filter} at={problem.at} length={problem.length} />}
            <span className="problem">{problem.text}</span>
          </>
        )}
      </div>
    </div>
  );
};

/** The filter with what is wrong in it marked. */
const Place = ({ filter, at, length }: { filter: string; at: number; length: number }): ReactElement => (
  <code>
    {filter.slice(0, at)}
    <mark>{filter.slice(at, at + length) === '' ? '\u00a0' : filter.slice(at, at + length)}</mark>
    {filter.slice(at + length)}
  </code>
);
