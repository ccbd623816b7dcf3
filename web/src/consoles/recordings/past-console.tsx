import { type ReactElement, useEffect, useState } from 'react';
import { useScope } from '../../app/lab-context.tsx';
import { sentenceOf } from '../../store/notices.ts';
import { sayMoment } from '../../words/format.ts';
import { t } from '../../words/words.ts';
import { type Cast, recordingAt } from './cast.ts';
import { CastScreen } from './cast-screen.tsx';
import { listRecordings, readCast, type Recording } from './recordings.ts';

interface Props {
  readonly nodeId: string;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** Screen of a console at a moment of the past, if it was recorded. */
export const PastConsole = ({ nodeId, name, time }: Props): ReactElement => {
  const { lab } = useScope();
  const [recordings, setRecordings] = useState<readonly Recording[] | null>(null);
  const [cast, setCast] = useState<{ name: string; cast: Cast } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const ending = new AbortController();
    listRecordings(lab, nodeId, ending.signal).then(setRecordings, (error: unknown) => {
      if (!ending.signal.aborted) setProblem(sentenceOf(error));
    });
    return () => ending.abort();
  }, [lab, nodeId]);
  const wanted = recordings === null ? null : recordingAt(recordings, time);
  const file = wanted?.name;
  useEffect(() => {
    if (file === undefined) return undefined;
    const ending = new AbortController();
    readCast(lab, nodeId, file, ending.signal).then(
      (read) => setCast({ name: file, cast: read }),
      (error: unknown) => {
        if (!ending.signal.aborted) setProblem(sentenceOf(error));
      },
    );
    return () => ending.abort();
  }, [lab, nodeId, file]);
  if (problem !== null) return <p className="panel-note problem">{problem}</p>;
  if (recordings === null) return <p className="panel-note">{t('Reading the recordings …')}</p>;
  if (wanted === null)
    return (
      <p className="panel-note past-note">
        {t(
          'The past, {time}: the console of {name} was not recorded then. Consoles are recorded where the project says so.',
          {
            time: sayMoment(time),
            name,
          },
        )}
      </p>
    );
  if (cast?.name !== wanted.name) return <p className="panel-note">{t('Reading the recording …')}</p>;
  const at = (time - cast.cast.startedAt) / 1000;
  const hasEnded = wanted.seconds !== null && at > wanted.seconds;
  return (
    <CastScreen cast={cast.cast} at={at} label={t('Recorded console of {name}', { name })}>
      <strong className="past-note" data-testid="past-console">
        {t('The past, {time}', { time: sayMoment(time) })}
      </strong>
      {hasEnded && <span className="note">{t('This recording had ended by then.')}</span>}
    </CastScreen>
  );
};
