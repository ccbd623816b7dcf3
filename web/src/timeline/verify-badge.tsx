import { type ReactElement, useEffect, useState } from 'react';
import { useStore } from '../store/use-store.ts';
import { Button } from '../ui/button.tsx';
import { t } from '../words/words.ts';
import type { TimeLine } from './control/controller.ts';
import type { TimeLineState } from './time-line-state.ts';

const TICK_MS = 1000;

/** Seconds that something has gone on. */
const useSeconds = (isOn: boolean): number => {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    if (!isOn) return undefined;
    setSeconds(0);
    const timer = setInterval(() => setSeconds((now) => now + 1), TICK_MS);
    return () => clearInterval(timer);
  }, [isOn]);
  return seconds;
};

/** Whether every event of the project is as it was put on record; pressed, it is checked (again), and pressed while it is, that ends. */
export const VerifyBadge = ({ timeLine }: { timeLine: TimeLine }): ReactElement => {
  const now = useStore(timeLine.state);
  const seconds = useSeconds(now.isVerifying);
  const { text, more, title, look, icon } = wordsOf(now, seconds);
  return (
    <Button
      className={`verify ${look}`}
      icon={icon}
      title={title}
      onClick={() => (now.isVerifying ? timeLine.cancelVerify() : void timeLine.verify())}
      data-testid="verify"
    >
      <span>
        <span role="status">{text}</span>
        {more !== undefined && <span className="wide-only"> {more}</span>}
      </span>
    </Button>
  );
};

interface Words {
  readonly text: string;
  /** Where there is room. */
  readonly more?: string;
  readonly title: string;
  readonly look: 'unknown' | 'ok' | 'broken';
  readonly icon: 'check' | 'warning' | 'lock' | 'close';
}

const wordsOf = ({ verdict, isVerifying, overview }: TimeLineState, seconds: number): Words => {
  if (isVerifying)
    return {
      text: seconds === 0 ? t('Checking …') : t('Checking … {seconds} s', { seconds }),
      title: t('The server reads all {count} events. Press to cancel.', { count: overview?.of ?? 0 }),
      ...{ look: 'unknown', icon: 'close' },
    };
  if (verdict === null)
    return { text: t('Verify'), title: t('Check the events of this project'), look: 'unknown', icon: 'lock' };
  const { of, answer, took } = verdict;
  if (!answer.ok) {
    const { position = null, message = t('it is not whole') } = answer.problem ?? {};
    const title = position === null ? message : t('Event {position}: {message}', { position, message });
    return { text: t('Events damaged'), title, look: 'broken', icon: 'warning' };
  }
  const newer = Math.max(0, (overview?.of ?? 0) - of);
  const title = t(
    '{count, plural, one {# event} other {# events}} checked in {s, number, ::.0} s: nothing was changed, removed or added. {newer, plural, =0 {} one {# is newer.} other {# are newer.}} Press to check again.',
    { count: answer.facts, s: took / 1000, newer },
  );
  const words = { text: t('Verified'), title, look: 'ok', icon: 'check' } as const;
  return newer === 0 ? words : { ...words, more: t('but {newer} newer', { newer }) };
};
