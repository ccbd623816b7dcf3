import { type ReactElement, useEffect, useState } from 'react';
import { useScope } from '../../app/lab-context.tsx';
import { t } from '../../words/words.ts';
import type { TimeLine } from '../control/controller.ts';
import { useMapPointer } from '../map-pointer.ts';
import { sayMoment } from '../../words/format.ts';
import { sentenceOf } from '../sentences/sentence.ts';
import { type EntriesPage, readEntries } from '../server.ts';

/** Pixels on both sides of the pointer that it means. */
const REACH = 4;
const FIRST = 4;
/** A pointer that passes asks nothing. Milliseconds. */
const REST_MS = 80;
const WIDE = 320;

interface Props {
  readonly timeLine: TimeLine;
  readonly x: number;
  readonly width: number;
}

/** What happened where the pointer is, over the bar. */
export const Hover = ({ timeLine, x, width }: Props): ReactElement => {
  const { lab } = useScope();
  const [page, setPage] = useState<EntriesPage | null>(null);
  const { scale, filter } = timeLine.state.get();
  const timeAt = (at: number): number =>
    Math.round(scale.toTime((Math.max(0, Math.min(width, at)) / Math.max(1, width)) * scale.length));
  const [from, to] = [timeAt(x - REACH), timeAt(x + REACH)];
  useEffect(() => {
    const ending = new AbortController();
    const timer = setTimeout(() => {
      readEntries(lab, { filter, from, to, limit: FIRST }, ending.signal).then(setPage, () => undefined);
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [lab, filter, from, to]);
  useMapPointer(page?.entries[0]?.object?.id ?? null);
  return (
    <div className="hover-card" style={{ left: Math.max(0, Math.min(x - WIDE / 2, width - WIDE)) }} aria-hidden="true">
      <time>{sayMoment(page?.entries[0]?.at ?? timeAt(x))}</time>
      {page?.entries.map((entry) => (
        <p key={entry.position} className={`entry ${entry.kind}`}>
          {sentenceOf(entry)}
        </p>
      ))}
      {page !== null && page.total > FIRST && (
        <p className="note">{t('and {count} more', { count: page.total - FIRST })}</p>
      )}
    </div>
  );
};
