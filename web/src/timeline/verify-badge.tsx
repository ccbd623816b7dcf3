import type { ReactElement } from 'react';
import { useStore } from '../store/use-store.ts';
import { Button } from '../ui/button.tsx';
import type { TimeLine } from './controller.ts';
import type { TimeLineState } from './time-line-state.ts';
import { count } from './panes/words.ts';

/** Whether every event of the project is as it was put on record; pressed, it is checked (again). */
export const VerifyBadge = ({ timeLine }: { timeLine: TimeLine }): ReactElement => {
  const now = useStore(timeLine.state);
  const { text, more, title, look, icon } = wordsOf(now);
  return (
    <Button
      className={`verify ${look}`}
      icon={icon}
      title={title}
      disabled={now.isVerifying}
      onClick={() => void timeLine.verify()}
      data-testid="verify"
    >
      <span role="status">
        {text}
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
  readonly icon: 'check' | 'warning' | 'lock' | 'reload';
}

const wordsOf = ({ verdict, isVerifying, marks }: TimeLineState): Words => {
  if (isVerifying)
    return { text: 'Checking …', title: 'The server reads the whole stream', look: 'unknown', icon: 'reload' };
  if (verdict === null)
    return { text: 'Verify', title: 'Check the stream of events of this project', look: 'unknown', icon: 'lock' };
  const { of, answer } = verdict;
  if (!answer.ok) {
    const { position = null, message = 'it is not whole' } = answer.problem ?? {};
    const where = position === null ? '' : `Event ${position}: `;
    return { text: 'Stream broken', title: `${where}${message}`, look: 'broken', icon: 'warning' };
  }
  const newer = marks.filter(({ position }) => position > of).length;
  const title = `${count(answer.facts, 'event')} checked, nothing was changed, removed or added${newer === 0 ? '' : `; ${newer} newer`}. Press to check again`;
  const words = { text: 'Verified', title, look: 'ok', icon: 'check' } as const;
  return newer === 0 ? words : { ...words, more: `to event ${of}` };
};
