import { type ReactElement, useEffect, useState } from 'react';
import { useScope, useView } from '../app/lab-context.tsx';
import { Sheet } from '../app/sheet.tsx';
import { sentenceOf } from '../store/notices.ts';
import { useStore } from '../store/use-store.ts';
import { openSheet, highlight, showOnMap } from '../store/workbench.ts';
import { timeLineOf } from '../timeline/controller.ts';
import { sayMoment } from '../words/format.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { t, told } from '../words/words.ts';
import './why.css';
import {
  otherObstacles,
  askWhy,
  type Hop,
  highlightsOf,
  sayNote,
  sayPorts,
  shownPath,
  tryWhy,
  type Why,
} from './why.ts';

interface Props {
  readonly from: string;
  readonly to: string;
}

/** The way of a packet through the lab, where it ends, and since when. Again with each change, and for each moment that is shown. */
const WhySheet = ({ from, to }: Props): ReactElement => {
  const { workbench } = useScope();
  const { records } = useView();
  const { why, problem, again } = useWhy(from, to);
  const name = (id: string): string => records.nodes.get(id)?.name ?? id;
  useEffect(() => {
    workbench.update(highlight('why', why === null ? new Map() : highlightsOf(why)));
    return () => workbench.update(highlight('why', new Map()));
  }, [workbench, why]);
  return (
    <Sheet title={t('From {from} to {to}', { from: name(from), to: name(to) })}>
      {problem !== null && (
        <p role="alert" className="problem wrap">
          {problem}
        </p>
      )}
      {why === null && problem === null && <p className="note">{t('Looking …')}</p>}
      {why !== null && <Answer why={why} />}
      <p className="row">
        <Button icon="reload" onClick={() => workbench.update(openSheet({ kind: 'why', from: to, to: from }))}>
          {t('The other way round')}
        </Button>
        {again !== null && (
          <Button icon="send" onClick={again}>
            {t('Try it')}
          </Button>
        )}
      </p>
    </Sheet>
  );
};
export default WhySheet;

interface Asked {
  readonly why: Why | null;
  readonly problem: string | null;
  /** Sends a ping; null: the past is shown. */
  readonly again: (() => void) | null;
}

const useWhy = (from: string, to: string): Asked => {
  const { lab } = useScope();
  const past = useStore(lab.past);
  // Only nodes and links: drawings change no way.
  const nodes = useStore(lab.state, (now) => now.records.nodes);
  const links = useStore(lab.state, (now) => now.records.links);
  const [answer, setAnswer] = useState<{ why: Why | null; problem: string | null }>({ why: null, problem: null });
  useEffect(() => {
    const ending = new AbortController();
    askWhy(lab, { from, to }, ending.signal).then(
      (why) => setAnswer({ why, problem: null }),
      (error: unknown) => {
        if (!ending.signal.aborted) setAnswer({ why: null, problem: sentenceOf(error) });
      },
    );
    return () => ending.abort();
  }, [lab, from, to, past, nodes, links]);
  const again = (): void => {
    setAnswer({ why: null, problem: null });
    tryWhy(lab, { from, to }).then(
      (why) => setAnswer({ why, problem: null }),
      (error: unknown) => setAnswer({ why: null, problem: sentenceOf(error) }),
    );
  };
  return { ...answer, again: past === null ? again : null };
};

const Answer = ({ why }: { why: Why }): ReactElement => {
  const { lab } = useScope();
  const { obstacle, reaches, sentence, notes, settled_by } = why;
  const since = obstacle?.since ?? null;
  const way = shownPath(why);
  return (
    <>
      <p className={`why-answer wrap ${reaches === false ? 'ends' : ''}`} role="status">
        <Icon name={reaches === false ? 'close' : reaches === null ? 'help' : 'check'} />
        <strong>{told(since === null ? sentence : sentence.replace(` ${since.sentence}.`, ''))}</strong>
      </p>
      {since !== null && (
        <button type="button" className="why-since" onClick={() => timeLineOf(lab).goTo(Date.parse(since.at))}>
          <Icon name="history" />
          <span className="wrap">{sayDeed(since)}</span>
          <time dateTime={since.at} className="note">
            {sayMoment(Date.parse(since.at))}
          </time>
        </button>
      )}
      <h3>{way === why.reply ? t('The way back') : t('The way')}</h3>
      <ol className="why-way">
        {way.hops.map((hop, index) => (
          <HopLine
            key={`${index} ${hop.node_id}`}
            hop={hop}
            isEnd={reaches === false && index === way.hops.length - 1}
          />
        ))}
      </ol>
      {otherObstacles(why).map((sentence) => (
        <p key={sentence} className="wrap">
          {t('Also in the way: {what}', { what: told(sentence) })}
        </p>
      ))}
      {[...way.notes, ...notes].map((note) => (
        <p key={note} className="note wrap">
          {sayNote(note)}
        </p>
      ))}
      {settled_by.map((what) => (
        <p key={what} className="wrap">
          {t('To find out: {what}', { what: told(what) })}
        </p>
      ))}
    </>
  );
};

/** Leaves out the time, which stands below as the clock of the page has it. */
const sayDeed = ({ sentence, at }: { readonly sentence: string; readonly at: string }): string =>
  [` at ${at}`, `, ${at}`].reduce((text, time) => text.replace(time, ''), told(sentence));

const HopLine = ({ hop, isEnd }: { hop: Hop; isEnd: boolean }): ReactElement => {
  const { workbench } = useScope();
  const ports = sayPorts(hop);
  return (
    <li className={isEnd ? 'ends' : ''}>
      <button type="button" onClick={() => workbench.update(showOnMap(hop.node_id))}>
        <strong className="wrap">{hop.name}</strong>
        {ports !== '' && <span className="note">{ports}</span>}
        {hop.unknown && <span className="note">{t('what it does is not known')}</span>}
        {isEnd && <span className="why-end">{t('ends here')}</span>}
      </button>
    </li>
  );
};
