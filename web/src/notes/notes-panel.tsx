import {
  type KeyboardEvent,
  lazy,
  type MouseEvent,
  type ReactElement,
  type RefObject,
  Suspense,
  useEffect,
  useRef,
  useState,
} from 'react';
import { useScope, useView } from '../app/lab-context.tsx';
import { useStore } from '../store/use-store.ts';
import { Button } from '../ui/button.tsx';
import { type Message, t } from '../words/words.ts';
import './notes.css';
import { type Conflict, createNotes, draftsIn, type Notes, type NotesState } from './notes.ts';

/** With the reader of Markdown. */
const Rendered = lazy(() => import('./rendered.tsx'));

/** The notes of the lab: read as they look, written as Markdown, saved by themselves. */
const NotesPanel = (): ReactElement => {
  const notes = useNotes();
  return notes === null ? <p className="panel-note">{t('Loading …')}</p> : <NotesView notes={notes} />;
};
export default NotesPanel;

const useNotes = (): Notes | null => {
  const { lab } = useScope();
  const [notes, setNotes] = useState<Notes | null>(null);
  useEffect(() => {
    const one = createNotes(lab, draftsIn(localStorage, lab.projectId));
    setNotes(one);
    return () => one.close();
  }, [lab]);
  return notes;
};

const STATUS: Readonly<Record<NotesState['status'], Message>> = {
  loading: 'Loading …',
  saved: 'Saved',
  unsaved: 'Not saved yet',
  saving: 'Saving …',
};

const NotesView = ({ notes }: { notes: Notes }): ReactElement => {
  const { isReadOnly: isClosed, past } = useView();
  const { text, status, problem, conflict } = useStore(notes.state);
  const [isWriting, setWriting] = useState(false);
  const isReadOnly = isClosed || status === 'loading';
  const isOpen = isWriting && !isReadOnly;
  const page = useRef<HTMLDivElement>(null);
  const turn = (): void => {
    setWriting(!isOpen);
    if (!isOpen) return;
    void notes.flush();
    requestAnimationFrame(() => page.current?.focus());
  };
  return (
    <div className="notes">
      <div className="notes-head">
        <p className="note" role="status">
          {past === null ? t(STATUS[status]) : t('Notes as they are now: none of earlier moments are kept.')}
        </p>
        {problem !== null && (
          <p role="alert" className="problem wrap">
            {problem}
          </p>
        )}
        <Button
          icon={isOpen ? 'check' : 'edit'}
          aria-keyshortcuts={isOpen ? 'Escape' : 'Enter'}
          disabled={isReadOnly}
          onClick={turn}
        >
          {isOpen ? t('Done') : t('Edit')}
        </Button>
      </div>
      {conflict !== null && <ConflictNote conflict={conflict} onSettle={notes.settle} />}
      <div className="notes-body">
        {isOpen && <Writing notes={notes} text={text} isHeld={conflict !== null} onDone={turn} />}
        <Page {...{ page, notes, text, isReadOnly, isOpen }} isEmpty={text.trim() === ''} onEdit={turn} />
      </div>
    </div>
  );
};

interface PageProps {
  readonly page: RefObject<HTMLDivElement | null>;
  readonly notes: Notes;
  readonly text: string;
  readonly isReadOnly: boolean;
  readonly isOpen: boolean;
  readonly isEmpty: boolean;
  readonly onEdit: () => void;
}

/** The rendered page; beside the editor where there is room. */
const Page = ({ page, notes, text, isReadOnly, isOpen, isEmpty, onEdit }: PageProps): ReactElement => {
  const edit = (event: KeyboardEvent | MouseEvent): void => {
    if (isReadOnly || isOpen) return;
    event.preventDefault();
    onEdit();
  };
  return (
    <div
      ref={page}
      className={`notes-page${isOpen ? ' beside' : ''}`}
      role="region"
      aria-label={isOpen ? t('Preview') : t('Notes of the lab')}
      tabIndex={0}
      onDoubleClick={edit}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.target === event.currentTarget) edit(event);
      }}
    >
      {isEmpty ? (
        <Empty isReadOnly={isReadOnly} />
      ) : (
        <Suspense fallback={<p className="note">{t('Loading …')}</p>}>
          <Rendered text={text} isReadOnly={isReadOnly} onChange={notes.edit} />
        </Suspense>
      )}
    </div>
  );
};

const Empty = ({ isReadOnly }: { isReadOnly: boolean }): ReactElement => (
  <div className="notes-empty">
    <p>{t('Nothing is written here yet.')}</p>
    {!isReadOnly && (
      <p className="note">
        {t('Say what the lab is for, and what is to be done in it. Everybody who opens the lab can read it here.')}
      </p>
    )}
  </div>
);

interface WritingProps {
  readonly notes: Notes;
  readonly text: string;
  /** Somebody else has changed the same: that is to be settled first. */
  readonly isHeld: boolean;
  readonly onDone: () => void;
}

/** Marks put around the selected text. */
const MARKS: Readonly<Record<string, string>> = { b: '**', i: '_', e: '`' };

const Writing = ({ notes, text, isHeld, onDone }: WritingProps): ReactElement => {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    event.stopPropagation();
    const mark = event.ctrlKey || event.metaKey ? MARKS[event.key] : undefined;
    if (event.key === 'Escape') onDone();
    else if (event.key === 's' && (event.ctrlKey || event.metaKey)) void notes.flush();
    else if (mark === undefined || isHeld) return;
    else surround(event.currentTarget, mark);
    event.preventDefault();
  };
  return (
    <textarea
      ref={field}
      className="notes-text"
      aria-label={t('Notes in Markdown')}
      spellCheck
      readOnly={isHeld}
      value={text}
      onChange={({ target }) => notes.edit(target.value)}
      onBlur={() => void notes.flush()}
      onKeyDown={onKeyDown}
    />
  );
};

const surround = (field: HTMLTextAreaElement, mark: string): void => {
  const { selectionStart: from, selectionEnd: to, value } = field;
  const inner = value.slice(from, to);
  field.setRangeText(`${mark}${inner}${mark}`, from, to, 'end');
  field.setSelectionRange(from + mark.length, to + mark.length);
  field.dispatchEvent(new Event('input', { bubbles: true }));
};

interface ConflictNoteProps {
  readonly conflict: Conflict;
  readonly onSettle: (how: keyof Conflict['texts']) => void;
}

/** Two have changed the same lines: nothing is saved until somebody says which of them stand. */
const ConflictNote = ({ conflict: { mine, theirs }, onSettle }: ConflictNoteProps): ReactElement => (
  <section className="notes-conflict" role="alert" aria-label={t('Changed by two')}>
    <div className="row">
      <p>{t('Somebody else has changed the same lines meanwhile. Yours are not saved yet.')}</p>
      <Button kind="primary" onClick={() => onSettle('both')}>
        {t('Keep both')}
      </Button>
      <Button onClick={() => onSettle('theirs')}>{t('Keep theirs')}</Button>
      <Button onClick={() => onSettle('mine')}>{t('Keep yours')}</Button>
    </div>
    <div className="notes-sides">
      <Side title={t('Theirs')} text={theirs} />
      <Side title={t('Yours')} text={mine} />
    </div>
  </section>
);

const Side = ({ title, text }: { title: string; text: string }): ReactElement => (
  <div>
    <h3>{title}</h3>
    <pre className="wrap" tabIndex={0}>
      {text === '' ? t('(deleted)') : text}
    </pre>
  </div>
);
