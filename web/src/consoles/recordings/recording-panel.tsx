import { type ReactElement, useCallback, useEffect, useEffectEvent, useState } from 'react';
import { useScope } from '../../app/lab-context.tsx';
import { keep } from '../../projects/transfer.ts';
import { sentenceOf } from '../../store/notices.ts';
import { useStore } from '../../store/use-store.ts';
import { sayMoment } from '../../words/format.ts';
import { SPEEDS } from '../../timeline/time-line-state.ts';
import { IconButton } from '../../ui/button.tsx';
import { t } from '../../words/words.ts';
import { CastScreen } from './cast-screen.tsx';
import { afterIdle, type Cast, parseCast, sayPlayTime } from './cast.ts';
import { isNext, readRecording, toPlay } from './recordings.ts';

/** Plays a recording of a console. */
export const RecordingPanel = ({ nodeId, name }: { nodeId: string; name: string }): ReactElement => {
  const { lab } = useScope();
  const [read, setRead] = useState<{ text: string; cast: Cast } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [times, setTimes] = useState(0);
  useEffect(() => {
    const ending = new AbortController();
    readRecording(lab, nodeId, name, ending.signal)
      .then((text) => setRead({ text, cast: parseCast(text) }))
      .catch((error: unknown) => {
        if (!ending.signal.aborted) setProblem(sentenceOf(error));
      });
    return () => ending.abort();
  }, [lab, nodeId, name, times]);
  if (problem !== null) return <p className="panel-note problem">{problem}</p>;
  if (read === null) return <p className="panel-note">{t('Reading the recording …')}</p>;
  return (
    <PlayedRecording
      cast={read.cast}
      isWanted={() => isNext(nodeId, name)}
      onKeep={() => keep(new Blob([read.text], { type: 'application/x-asciicast' }), name)}
      onAgain={() => setTimes(times + 1)}
    />
  );
};

interface PlayedProps {
  readonly cast: Cast;
  /** Whether somebody has just asked for it to be played. */
  readonly isWanted: () => boolean;
  readonly onKeep: () => void;
  readonly onAgain: () => void;
}

const PlayedRecording = ({ cast, isWanted, onKeep, onAgain }: PlayedProps): ReactElement => {
  const [speed, setSpeed] = useState(1);
  const [skipsIdle, setSkipsIdle] = useState(true);
  const skip = useCallback((at: number) => (skipsIdle ? afterIdle(cast, at) : at), [cast, skipsIdle]);
  const { at, isPlaying, seek, toggle, play } = usePlayer({ seconds: cast.seconds, speed, skip });
  const asked = useStore(toPlay);
  const begin = useEffectEvent(() => {
    if (isWanted()) play();
  });
  useEffect(() => begin(), [asked]);
  const said = t('{at} of {whole}', { at: sayPlayTime(at), whole: sayPlayTime(cast.seconds) });
  return (
    <CastScreen
      cast={cast}
      at={at}
      label={t('Recorded console')}
      buttons={
        <>
          <IconButton icon="reload" label={t('Read again, with what was added')} onClick={onAgain} />
          <IconButton icon="download" label={t('Download this recording')} onClick={onKeep} />
        </>
      }
    >
      <IconButton icon={isPlaying ? 'pause' : 'play'} label={isPlaying ? t('Pause') : t('Play')} onClick={toggle} />
      <select
        aria-label={t('Speed')}
        className="speed"
        value={speed}
        onChange={(event) => setSpeed(Number(event.target.value))}
      >
        {SPEEDS.map((one) => (
          <option key={one} value={one}>
            {one}×
          </option>
        ))}
      </select>
      <input
        type="range"
        className="seek"
        aria-label={t('Moment of the recording')}
        aria-valuetext={said}
        min={0}
        max={cast.seconds}
        step={0.1}
        value={at}
        onChange={(event) => seek(Number(event.target.value))}
      />
      <label className="skip-idle">
        <input type="checkbox" checked={skipsIdle} onChange={({ target }) => setSkipsIdle(target.checked)} />
        {t('Skip pauses')}
      </label>
      <span className="note" data-testid="recording-time">
        {said} · {sayMoment(cast.startedAt + at * 1000)}
      </span>
    </CastScreen>
  );
};

interface Player {
  /** Seconds. */
  readonly at: number;
  readonly isPlaying: boolean;
  readonly seek: (at: number) => void;
  readonly toggle: () => void;
  readonly play: () => void;
}

interface UsePlayerOptions {
  readonly seconds: number;
  readonly speed: number;
  /** Where to go on from a time at which nothing happens for long. */
  readonly skip: (at: number) => number;
}

const TICK_MS = 50;

/** Plays from 0 to `seconds`; from the end it starts over. */
const usePlayer = ({ seconds, speed, skip }: UsePlayerOptions): Player => {
  const [at, setAt] = useState(0);
  const [isPlaying, setPlaying] = useState(false);
  useEffect(() => {
    if (!isPlaying) return undefined;
    let last = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      const step = ((now - last) / 1000) * speed;
      last = now;
      setAt((before) => Math.min(seconds, skip(before + step)));
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [isPlaying, speed, seconds, skip]);
  const isAtEnd = at >= seconds;
  useEffect(() => {
    // Going back afterwards must not start playing at once.
    if (isAtEnd) setPlaying(false);
  }, [isAtEnd]);
  const plays = isPlaying && !isAtEnd;
  const play = (): void => {
    if (isAtEnd) setAt(0);
    setPlaying(true);
  };
  return {
    at,
    isPlaying: plays,
    seek: (to) => setAt(Math.max(0, Math.min(seconds, to))),
    toggle: () => (plays ? setPlaying(false) : play()),
    play,
  };
};
