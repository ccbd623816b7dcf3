import { type KeyboardEvent, lazy, type ReactElement, type ReactNode, Suspense, useEffect, useId, useRef } from 'react';
import { useScope, useView } from '../app/lab-context.tsx';
import type { Records } from '../store/records.ts';
import { openSheet } from '../store/workbench.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { t } from '../words/words.ts';
import { type Forms, useForms } from './edit/forms.ts';
import { FormContext } from './form/form-scope.ts';
import { FormView } from './form/form-view.tsx';
import './inspector.css';
import { NodeForm } from './node-form.tsx';
import { type Selection, selectionOf, titleOf } from './selection.ts';

/** With its charts. */
const LinkForm = lazy(() => import('./link-form.tsx'));

interface Props {
  readonly ids: readonly string[];
  /** It was asked for: it takes the focus, and lies over the map where that is narrow. */
  readonly isAsked: boolean;
  readonly onClose: () => void;
}

/** Form of the selected objects; nothing selected: of the project. */
const Inspector = ({ ids, isAsked, onClose }: Props): ReactElement => {
  const { lab } = useScope();
  const { records, past } = useView();
  const selection = selectionOf(records, ids);
  const forms = useForms(lab.client);
  return (
    <InspectorFrame title={titleOf(records, selection)} isAsked={isAsked} onClose={onClose}>
      {past !== null && <p className="past-said">{t('This is the past: it can be read, not changed.')}</p>}
      {forms.problem !== null && (
        <p role="alert" className="problem wrap">
          {forms.problem}
        </p>
      )}
      {forms.forms === null && forms.problem === null && <p className="note">{t('Loading …')}</p>}
      {forms.forms !== null && (
        <FormContext value={{ client: lab.client, images: null }}>
          <Selected selection={selection} records={records} forms={forms.forms} />
        </FormContext>
      )}
    </InspectorFrame>
  );
};
export default Inspector;

interface SelectedProps {
  readonly selection: Selection;
  readonly records: Records;
  readonly forms: Forms;
}

const Selected = ({ selection, records, forms }: SelectedProps): ReactNode => {
  const { nodes, links, drawings } = selection;
  if (nodes.length > 0) return <NodeForm key={nodes.map((one) => one.node_id).join(' ')} nodes={nodes} forms={forms} />;
  if (drawings.length > 0)
    return (
      <>
        {drawings[0] !== undefined && drawings.length === 1 && <DrawingState id={drawings[0].drawing_id} />}
        <FormView
          own={drawings.length === 1 ? forms.drawing : forms.drawing.filter(({ key }) => key !== 'svg')}
          targets={drawings.map(({ drawing_id: id }) => ({ collection: 'drawing', id }))}
        />
      </>
    );
  if (links.length > 0)
    return (
      <Suspense fallback={<p className="note">{t('Loading …')}</p>}>
        <LinkForm key={links.map(({ link_id: id }) => id).join(' ')} links={links} specs={forms.link} />
      </Suspense>
    );
  if (selection.isGone) return <p className="note">{t('It is not there at this moment.')}</p>;
  if (records.project === null) return null;
  return <FormView own={forms.project} targets={[{ collection: 'project', id: records.project.project_id }]} />;
};

const DrawingState = ({ id }: { id: string }): ReactElement => {
  const { workbench } = useScope();
  return (
    <div className="row inspector-state">
      <Button
        icon="history"
        onClick={() => workbench.update(openSheet({ kind: 'history', collection: 'drawing', id }))}
      >
        {t('History')}
      </Button>
    </div>
  );
};

/** Where Escape leads: what is selected on the map, or the map. */
const focusMap = (): void => {
  const target =
    document.querySelector<HTMLElement>('.react-flow .selected[data-id]') ??
    document.querySelector<HTMLElement>('.react-flow [data-id][tabindex]') ??
    document.querySelector<HTMLElement>('.map-toolbar button');
  target?.focus({ preventScroll: true });
};

interface InspectorFrameProps {
  readonly title: string;
  readonly isAsked: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Stands beside the map, on narrow screens over it. Escape returns to the map. */
const InspectorFrame = ({ title, isAsked, onClose, children }: InspectorFrameProps): ReactElement => {
  const ref = useRef<HTMLElement>(null);
  const titleId = useId();
  useEffect(() => {
    if (!isAsked) return undefined;
    const [before, frame] = [document.activeElement, ref.current];
    frame?.focus({ preventScroll: true });
    return () => {
      const now = document.activeElement;
      const isElsewhere = now !== null && now !== document.body && frame?.contains(now) !== true;
      if (isElsewhere) return;
      if (before !== null && before !== document.body && document.contains(before))
        (before as HTMLElement).focus({ preventScroll: true });
      else focusMap();
    };
  }, [isAsked]);
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key !== 'Escape') return;
    if (isAsked) onClose();
    else focusMap();
  };
  return (
    <aside
      ref={ref}
      className={`inspector ${isAsked ? 'asked' : ''}`}
      aria-labelledby={titleId}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <header className="inspector-head">
        <h2 id={titleId} className="wrap">
          {title}
        </h2>
        <IconButton icon="close" label={t('Close')} onClick={onClose} />
      </header>
      <div className="inspector-body">{children}</div>
    </aside>
  );
};
