import { type ReactElement, useEffect, useRef } from 'react';
import { useStore } from '../../store/use-store.ts';
import type { TimeLine } from '../controller.ts';
import { indexAt, type Mark, sayMark } from '../bar/marks.ts';
import { sayClock, sayMoment } from './words.ts';

/** So many events are listed on both sides of the moment. */
const AROUND = 100;

/** The events around the moment that is shown; pressing one goes there. */
export const EventsPane = ({ timeLine }: { timeLine: TimeLine }): ReactElement => {
  const { shown, cursor } = useStore(timeLine.state);
  const here = cursor === null ? shown.length - 1 : indexAt(shown, cursor);
  const from = Math.max(0, here - AROUND);
  const list = shown.slice(from, here + AROUND + 1);
  const current = useRef<HTMLButtonElement>(null);
  // In braces: newer browsers answer a promise, which is no end of an effect.
  useEffect(() => {
    current.current?.scrollIntoView({ block: 'nearest' });
  }, [here]);
  if (shown.length === 0) return <p className="note">Nothing that the filter lets through.</p>;
  return (
    <ol className="events" start={from + 1}>
      {list.map((mark, index) => (
        <li key={mark.position}>
          <button
            type="button"
            ref={from + index === here ? current : null}
            className={`event ${mark.kind}`}
            aria-current={from + index === here && cursor !== null}
            onClick={() => timeLine.goTo(mark.at)}
          >
            <EventWords mark={mark} />
          </button>
        </li>
      ))}
    </ol>
  );
};

const EventWords = ({ mark }: { mark: Mark }): ReactElement => (
  <>
    <time dateTime={new Date(mark.at).toISOString()} title={sayMoment(mark.at)}>
      {sayClock(mark.at)}
    </time>
    <strong>{sayMark(mark)}</strong>
    <span className="who">{mark.who}</span>
    <span className="details">{mark.details}</span>
  </>
);
