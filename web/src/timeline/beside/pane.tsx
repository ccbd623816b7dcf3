import { type ReactElement, useMemo } from 'react';
import { LabContext, useScope } from '../../app/lab-context.tsx';
import type { Mark } from '../../store/lab.ts';
import type { Records } from '../../store/records.ts';
import { useStore } from '../../store/use-store.ts';
import { createWorkbench } from '../../store/workbench.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { sayMoment } from '../../words/format.ts';
import { t } from '../../words/words.ts';
import { Bar } from '../bar/bar.tsx';
import { useMapPointer } from '../map-pointer.ts';
import { sentenceOf } from '../sentences/sentence.ts';
import type { Choice } from './open-beside.ts';
import type { LinkedViews } from './linked-views.ts';
import { SideMap } from './side-map.tsx';
import type { Side } from './side.ts';

interface Props {
  readonly which: 'left' | 'right';
  readonly side: Side;
  /** Null: not read yet. */
  readonly records: Records | null;
  readonly marks: ReadonlyMap<string, Mark>;
  readonly views: LinkedViews;
  /** Object under the pointer, here or on the other side. */
  readonly pointed: string | null;
  readonly onPoint: (id: string | null) => void;
  readonly onFit: () => void;
  readonly choices: readonly Choice[];
  readonly onProject: (projectId: string) => void;
}

/** One of two labs beside each other: which one, which moment of it, its map, and its bar of time. */
export const Pane = (props: Props): ReactElement => {
  const outer = useScope();
  const { lab } = props.side;
  const scope = useMemo(() => ({ ...outer, lab, workbench: createWorkbench() }), [outer, lab]);
  return (
    <LabContext value={scope}>
      <PaneInside {...props} />
    </LabContext>
  );
};

const PaneInside = ({ which, side, records, pointed, choices, onProject, ...shared }: Props): ReactElement => {
  const { lab, timeLine } = side;
  const { cursor, problem } = useStore(timeLine.state);
  const failed = useStore(lab.state, (now) => now.problem !== null && !now.isLoaded);
  const past = useStore(lab.past);
  useMapPointer(pointed);
  const name = records?.project?.name ?? '';
  const when = cursor === null ? t('now') : sayMoment(cursor);
  return (
    <section
      className="side"
      // The moment before is shown for as long as another one is read.
      aria-busy={cursor !== null && past?.moment.time !== new Date(cursor).toISOString()}
      aria-label={
        which === 'left' ? t('Left: {name}, {when}', { name, when }) : t('Right: {name}, {when}', { name, when })
      }
    >
      <header className="side-head">
        <ProjectSelect
          label={which === 'left' ? t('Project on the left') : t('Project on the right')}
          projectId={lab.projectId}
          {...{ choices, onProject }}
        />
        <Moment side={side} />
      </header>
      {records === null ? (
        <p className="center-note" role={failed || problem !== null ? 'alert' : 'status'}>
          {problem ?? (failed ? t('This project cannot be read.') : t('Reading the lab …'))}
        </p>
      ) : (
        <SideMap label={t('Map of {name}, {when}', { name, when })} {...{ records, ...shared }} />
      )}
      <Bar timeLine={timeLine} isOpen={false} />
    </section>
  );
};

/** Which moment of it is shown, with steps to the next ones. */
const Moment = ({ side: { timeLine } }: { side: Side }): ReactElement => {
  const { cursor, here } = useStore(timeLine.state);
  return (
    <div className="side-moment">
      <IconButton icon="previous" label={t('One change back')} onClick={() => timeLine.step(-1)} />
      <IconButton icon="next" label={t('One change on')} disabled={cursor === null} onClick={() => timeLine.step(1)} />
      {cursor !== null && <Button onClick={() => timeLine.goTo(null)}>{t('Now')}</Button>}
      <span className={cursor === null ? 'where' : 'where past'} role="status">
        <strong>{cursor === null ? t('Now') : sayMoment(cursor)}</strong>
        {cursor === null || here === null ? '' : ` · ${sentenceOf(here)}`}
      </span>
    </div>
  );
};

interface ProjectSelectProps {
  readonly label: string;
  readonly projectId: string;
  readonly choices: readonly Choice[];
  readonly onProject: (projectId: string) => void;
}

/** Which project a side shows: this one, its relatives, and then the others. */
const ProjectSelect = ({ label, projectId, choices, onProject }: ProjectSelectProps): ReactElement => {
  const one = ({ id, name }: Choice): ReactElement => (
    <option key={id} value={id}>
      {name}
    </option>
  );
  const [near, others] = [choices.filter(({ isNear }) => isNear), choices.filter(({ isNear }) => !isNear)];
  return (
    <select aria-label={label} value={projectId} onChange={(event) => onProject(event.target.value)}>
      {near.length > 0 && <optgroup label={t('This project and its forks')}>{near.map(one)}</optgroup>}
      {others.length > 0 && <optgroup label={t('Other projects')}>{others.map(one)}</optgroup>}
    </select>
  );
};
