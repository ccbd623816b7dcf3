import { type ReactElement, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useScope } from '../../app/lab-context.tsx';
import { mergeNodes } from '../../map/flow/flow.ts';
import type { Lab, Mark } from '../../store/lab.ts';
import type { Records } from '../../store/records.ts';
import { useRead } from '../../store/use-read.ts';
import { type Beside, openBeside } from '../../store/workbench.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { t } from '../../words/words.ts';
import '../lists.css';
import { changeWord, collectionWord, countChanges, nameOfDiff, sayField, SIGNS } from '../panes/compare.ts';
import '../timeline.css';
import './beside.css';
import { type Choice, readChoices } from './open-beside.ts';
import { type Differences, differencesOf, type SideDiff } from './differences.ts';
import { useWriteBeside } from '../address.ts';
import { createLinkedViews } from './linked-views.ts';
import { Pane } from './pane.tsx';
import { useShown, useSide } from './side.ts';

type Pair<T> = Readonly<Record<'left' | 'right', T>>;
const SIDES = ['left', 'right'] as const;
const NO_MARKS: ReadonlyMap<string, Mark> = new Map();

/** Two moments of this lab, or this lab and another one, beside each other: one view of both, and what differs. */
const BesideDialog = ({ beside }: { beside: Beside }): ReactElement => {
  const { lab, workbench } = useScope();
  const [places, setPlaces] = usePlaces(beside);
  const [left, right] = [useSide(lab, places.left), useSide(lab, places.right)];
  useWriteBeside(lab.projectId, left, right);
  const sides = { left, right };
  const shown = { left: useShown(left), right: useShown(right) };
  const differences = useDifferences(shown);
  const choices = useChoices(lab);
  const { views, fit, show } = useViews(shown);
  const [pointed, setPointed] = useState<Pair<string | null>>({ left: null, right: null });
  const swap = (): void => {
    const at = (which: 'left' | 'right') => ({
      projectId: places[which].projectId,
      at: sides[which]?.timeLine.state.get().cursor ?? null,
    });
    setPlaces({ left: at('right'), right: at('left') });
  };
  return (
    <Dialog title={t('Side by side')} onClose={() => workbench.update(openBeside(null))} full>
      <div className="side-by-side">
        <div className="beside-tools" role="toolbar" aria-label={t('Both maps')}>
          <IconButton icon="zoom-out" label={t('Zoom out')} onClick={() => views.zoom(0.8)} />
          <IconButton icon="zoom-in" label={t('Zoom in')} onClick={() => views.zoom(1.25)} />
          <IconButton icon="fit" label={t('Zoom to fit')} onClick={fit} />
          <Button icon="compare" onClick={swap}>
            {t('Swap')}
          </Button>
          <Counts differences={differences} />
        </div>
        <div className="beside-sides">
          {SIDES.map((which) => {
            const side = sides[which];
            return side === null ? null : (
              <Pane
                key={`${which} ${side.lab.projectId}`}
                {...{ which, side, views, choices }}
                records={shown[which]}
                marks={differences?.[which] ?? NO_MARKS}
                pointed={pointed[which]}
                onPoint={(id) => setPointed(counterparts(differences, which, id))}
                onFit={fit}
                onProject={(projectId) => setPlaces((now) => ({ ...now, [which]: { projectId, at: null } }))}
              />
            );
          })}
        </div>
        {differences !== null && shown.left !== null && shown.right !== null && (
          <DiffList
            diffs={differences.diffs}
            {...{ left: shown.left, right: shown.right }}
            onPoint={setPointed}
            onShow={({ left: l, right: r }) => show({ left: l, right: r })}
          />
        )}
      </div>
    </Dialog>
  );
};
export default BesideDialog;

/** Where each side is at first; also when another address has come. */
const usePlaces = (beside: Beside) => {
  const state = useState(beside);
  const [, setPlaces] = state;
  useEffect(() => setPlaces(beside), [beside, setPlaces]);
  return state;
};

const Counts = ({ differences }: { differences: Differences | null }): ReactElement => (
  <strong role="status" data-testid="side-differences">
    {differences === null
      ? t('Comparing …')
      : differences.diffs.length === 0
        ? t('No differences')
        : t('{added} added, {removed} removed, {changed} changed', countChanges(differences.diffs))}
  </strong>
);

const useDifferences = ({ left, right }: Pair<Records | null>): Differences | null =>
  useMemo(() => (left === null || right === null ? null : differencesOf(left, right)), [left, right]);

/** The same object on both sides. */
const counterparts = (
  differences: Differences | null,
  which: 'left' | 'right',
  id: string | null,
): Pair<string | null> => {
  if (id === null || differences === null) return { left: null, right: null };
  const { nodes, links, drawings } = differences.matching;
  for (const ids of [nodes, links, drawings]) {
    if (which === 'left' && ids.has(id)) return { left: id, right: ids.get(id) ?? null };
    if (which === 'right') for (const [l, r] of ids) if (r === id) return { left: l, right: r };
  }
  return which === 'left' ? { left: id, right: null } : { left: null, right: id };
};

/** The views of both, which go together; both labs are shown whole at first. */
const useViews = (shown: Pair<Records | null>) => {
  const [views] = useState(createLinkedViews);
  const now = useRef(shown);
  useEffect(() => {
    now.current = shown;
  });
  const nodesOf = useCallback((records: Records | null) => {
    const seen = { marks: NO_MARKS, isReadOnly: true };
    return records === null ? [] : mergeNodes([], records, seen);
  }, []);
  const fit = useCallback(
    () => views.fit([...nodesOf(now.current.left), ...nodesOf(now.current.right)]),
    [views, nodesOf],
  );
  const isReady = shown.left !== null && shown.right !== null;
  const projects = `${shown.left?.project?.project_id} ${shown.right?.project?.project_id}`;
  useEffect(() => {
    // The maps have their sizes with the next turn of the screen.
    const frame = isReady ? requestAnimationFrame(fit) : 0;
    return () => cancelAnimationFrame(frame);
  }, [isReady, projects, fit]);
  const show = ({ left, right }: Pair<string | null>): void => {
    const { left: l, right: r } = now.current;
    const ends = (records: Records | null, id: string | null): readonly string[] =>
      records?.links.get(id ?? '')?.nodes.map(({ node_id }) => node_id) ?? (id === null ? [] : [id]);
    const wanted = new Set([...ends(l, left), ...ends(r, right)]);
    views.fit([...nodesOf(l), ...nodesOf(r)].filter(({ id }) => wanted.has(id)));
  };
  return { views, fit, show };
};

const NO_CHOICES: readonly Choice[] = [];

const useChoices = (lab: Lab): readonly Choice[] =>
  useRead(useCallback((signal: AbortSignal) => readChoices(lab, signal), [lab])).value ?? NO_CHOICES;

interface Where {
  readonly left: string | null;
  readonly right: string | null;
}

interface DiffListProps {
  readonly diffs: readonly SideDiff[];
  readonly left: Records;
  readonly right: Records;
  readonly onPoint: (where: Where) => void;
  /** Both maps go there. */
  readonly onShow: (where: Where) => void;
}

/** Differences listed unless all are asked for. */
const FIRST = 200;
const NOWHERE: Where = { left: null, right: null };

/** Differences of the two sides; pressed, both maps show one. */
const DiffList = ({ diffs, left, right, onPoint, onShow }: DiffListProps): ReactElement => {
  const [isWhole, setWhole] = useState(false);
  return (
    <section className="beside-list" aria-label={t('What differs')} tabIndex={0}>
      <ul className="differences">
        {(isWhole ? diffs : diffs.slice(0, FIRST)).map((diff) => (
          <li key={`${diff.left} ${diff.right}`} className={`difference ${diff.change}`}>
            <span className="sign" aria-hidden="true">
              {SIGNS[diff.change]}
            </span>
            <button
              type="button"
              className="difference-button"
              onClick={() => onShow(diff)}
              onPointerEnter={() => onPoint(diff)}
              onPointerLeave={() => onPoint(NOWHERE)}
              onFocus={() => onPoint(diff)}
              onBlur={() => onPoint(NOWHERE)}
            >
              <span>
                <strong>{nameIn(diff, left, right)}</strong>{' '}
                <span className="note">({collectionWord(diff.collection)})</span> {changeWord(diff.change)}
              </span>
              {diff.fields.map((field) => (
                <span key={field.field} className="field wrap">
                  {sayField(field)}
                </span>
              ))}
            </button>
          </li>
        ))}
      </ul>
      {!isWhole && diffs.length > FIRST && (
        <Button onClick={() => setWhole(true)}>{t('Show the other {count}', { count: diffs.length - FIRST })}</Button>
      )}
    </section>
  );
};

const nameIn = (diff: SideDiff, left: Records, right: Records): string =>
  nameOfDiff({ ...diff, id: diff.right ?? diff.left ?? '' }, diff.right === null ? left : right);
