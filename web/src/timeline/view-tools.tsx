import { type CSSProperties, type ReactElement, useState } from 'react';
import { useScope } from '../app/lab-context.tsx';
import { goTo } from '../app/router.ts';
import { forkProject, nameOf } from '../projects/actions.ts';
import { NameDialog } from '../projects/name-dialog.tsx';
import { useStore } from '../store/use-store.ts';
import { Button } from '../ui/button.tsx';
import { RestoreButton } from '../undo/restore-dialog.tsx';
import { sayMoment } from '../words/format.ts';
import { t, told } from '../words/words.ts';
import type { DrawerTab } from './drawer.tsx';
import { isFiltered } from './panes/filter.ts';
import type { Checked, TimeLine, TimeLineState, Verifying } from './time-line-state.ts';

interface Props {
  readonly timeLine: TimeLine;
  readonly tab: DrawerTab | null;
  readonly onTab: (tab: DrawerTab | null) => void;
}

/** Further tools for the past: list, filter, compare, fork, verify. */
export const ViewTools = ({ timeLine, tab, onTab }: Props): ReactElement => {
  const { comparison, filter } = useStore(timeLine.state);
  const flip = (one: DrawerTab): void => onTab(tab === one ? null : one);
  const compare = (): void => {
    if (comparison !== null) {
      timeLine.compare(null);
      timeLine.goTo(null);
      if (tab === 'compare') onTab(null);
      return;
    }
    const { cursor, overview } = timeLine.state.get();
    if (overview?.first == null || overview.last == null) return;
    timeLine.compare({ from: cursor ?? overview.first.at, to: overview.last.at });
    onTab('compare');
  };
  return (
    <div className="time-line-group">
      {/* The badge changes its width, so it comes first: the others stay where they are. */}
      <VerifyBadge timeLine={timeLine} />
      <RestoreAll timeLine={timeLine} />
      <Button icon="history" aria-pressed={tab === 'events'} onClick={() => flip('events')} title={t('What happened')}>
        <span className="wide-only">{t('Events')}</span>
      </Button>
      <Button icon="filter" aria-pressed={tab === 'filter'} onClick={() => flip('filter')} title={t('Filter')}>
        <span className="wide-only">{t('Filter')}</span>
        {isFiltered(filter) && <span className="dot" role="img" aria-label={t('is on')} />}
      </Button>
      <Button icon="compare" aria-pressed={comparison !== null} onClick={compare} title={t('Compare two moments')}>
        <span className="wide-only">{t('Compare')}</span>
      </Button>
      <ForkButton timeLine={timeLine} />
    </div>
  );
};

/**
 * Time after which a press during a check ends it, milliseconds. Pressed earlier, it asks for the check that the page has just begun by
 * itself.
 */
const WANTED_MS = 1_000;

/** Whether every event of the project is as it was put on record; pressed, it is checked (again), and pressed while it is, that ends. */
const VerifyBadge = ({ timeLine }: { timeLine: TimeLine }): ReactElement => {
  const now = useStore(timeLine.state);
  const { text, said, more, title, look, icon }: Words =
    now.verifying === null ? wordsOf(now) : wordsOfCheck(now.verifying);
  const share = now.verifying === null ? 0 : shareOf(now.verifying);
  return (
    <Button
      className={`verify ${look}`}
      icon={icon}
      title={title}
      style={{ '--share': `${Math.round(share * 100)}%` } as CSSProperties}
      onClick={() => {
        if (now.verifying === null) void timeLine.verify(true);
        else if (now.verifying.isAsked || Date.now() - now.verifying.begin > WANTED_MS) timeLine.cancelVerify();
      }}
      data-testid="verify"
    >
      <span role="status">{said === '' ? text : <span className="visually-hidden">{said}</span>}</span>
      {said !== '' && <span aria-hidden="true">{text}</span>}
      {more !== undefined && <span className="wide-only">{more}</span>}
    </Button>
  );
};

interface Words {
  readonly text: string;
  /** Read aloud instead of the text, which changes all the time; empty: the text is. */
  readonly said: string;
  /** Not read aloud. */
  readonly more?: string;
  readonly title: string;
  readonly look: 'unknown' | 'busy' | 'ok' | 'broken';
  readonly icon: 'check' | 'warning' | 'lock' | 'close';
}

/** 0 to 1. The events take about as long as what leads to them. */
const shareOf = ({ part, done, of }: Verifying): number => {
  const share = of === 0 ? 0 : Math.min(1, done / of) / 2;
  return part === 'events' ? share : 0.5 + share;
};

const wordsOfCheck = (verifying: Verifying): Words => {
  const { part, done, of, begin } = verifying;
  const share = shareOf(verifying);
  const values = { done, of, seconds: Math.round((Date.now() - begin) / 1000) };
  return {
    text: t('Checking … {share, number, ::percent .}', { share }),
    said: t('Checking …'),
    title:
      part === 'events'
        ? t('{done} of {of} events read, {seconds} s so far. Press to cancel.', values)
        : t('{done} of {of} entries of the index compared, {seconds} s so far. Press to cancel.', values),
    look: 'busy',
    icon: 'close',
  };
};

const UNKNOWN = { look: 'unknown', icon: 'lock' } as const;

const wordsOf = ({ verdict, overview }: TimeLineState): Words => {
  if (verdict === null)
    return { text: t('Verify'), said: '', title: t('Check the events of this project'), ...UNKNOWN };
  if ('cancelled' in verdict) {
    const text = t('Check cancelled');
    return { text, said: '', title: t('Nothing was found out. Press to check again.'), ...UNKNOWN };
  }
  if ('problem' in verdict) {
    const text = t('Not checked');
    const title = t('{problem} Press to check again.', { problem: verdict.problem });
    return { text, said: `${text}. ${title}`, title, look: 'unknown', icon: 'warning' };
  }
  return wordsOfVerdict(verdict, overview?.of ?? 0);
};

const wordsOfVerdict = ({ of, answer, took }: Extract<Checked, { of: number }>, now: number): Words => {
  if (!answer.ok) {
    const { position = null, message: found } = answer.problem ?? {};
    const message = found === undefined ? t('it is not whole') : told(found);
    const title = position === null ? message : t('Event {position}: {message}', { position, message });
    const text = t('Events damaged');
    return { text, said: `${text}. ${title}`, title, look: 'broken', icon: 'warning' };
  }
  const newer = Math.max(0, now - of);
  const title = t(
    '{count, plural, one {# event} other {# events}} checked in {s, number, ::.0} s: nothing was changed, removed or added. {newer, plural, =0 {} one {# is newer.} other {# are newer.}} Press to check again.',
    { count: answer.facts, s: took / 1000, newer },
  );
  const words = { text: t('Verified'), said: '', title, look: 'ok', icon: 'check' } as const;
  return newer === 0 ? words : { ...words, more: t('except {newer} newer', { newer }) };
};

/** Makes the lab what it was at the moment that is shown. */
const RestoreAll = ({ timeLine }: { timeLine: TimeLine }): ReactElement | null => {
  const { lab } = useScope();
  const cursor = useStore(timeLine.state, (now) => (now.comparison === null ? now.cursor : null));
  const at = useStore(lab.past, (past) => past?.moment.at ?? null);
  if (cursor === null || typeof at !== 'number') return null;
  return (
    <RestoreButton
      label={t('Restore all …')}
      title={t('Restore the lab as it was at {moment}', { moment: sayMoment(cursor) })}
      wish={{ at }}
      onDone={() => timeLine.goTo(null)}
    />
  );
};

/** A new project that begins as this one was at the moment that is shown. */
const ForkButton = ({ timeLine }: { timeLine: TimeLine }): ReactElement => {
  const { lab } = useScope();
  const cursor = useStore(timeLine.state, (now) => (now.comparison === null ? now.cursor : now.comparison.to));
  const project = useStore(lab.state, (now) => now.records.project);
  const [isAsking, setAsking] = useState(false);
  const fork = async (name: string): Promise<void> => {
    if (project === null) return;
    const at = cursor === null ? null : await timeLine.positionAt(cursor);
    goTo({ view: 'lab', projectId: await forkProject(lab.client, project, name, at ?? undefined) });
  };
  return (
    <>
      <Button icon="fork" onClick={() => setAsking(true)} title={t('A new project that begins as this moment')}>
        <span className="wide-only">{t('Fork from here')}</span>
      </Button>
      {isAsking && project !== null && (
        <NameDialog
          title={t('Fork from here')}
          text={
            cursor === null
              ? t('A new project that begins as this one is now. This one is not changed.')
              : t('A new project that begins as this one was at {time}. This one is not changed.', {
                  time: sayMoment(cursor),
                })
          }
          action={t('Fork')}
          name={t('{name} fork', { name: nameOf(project) })}
          onSubmit={fork}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
};
