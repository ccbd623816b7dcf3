import { ApiError, type Schemas } from 'topolog/client';
import type { Lab } from '../store/lab.ts';
import { newUuid } from '../store/new-uuid.ts';
import { attempt, notify } from '../store/notices.ts';
import { createStore, type Store } from '../store/store.ts';
import { t } from '../words/words.ts';
import { sayEdit, sayLeft } from './sentences.ts';

export type Edit = Schemas['Edit'];
export type Undone = Schemas['Undone'];
export type What = 'undo' | 'redo';

export interface LastEdits {
  /** Newest first. */
  readonly edits: readonly Edit[];
  /** Edit to undo or redo next; null: none. */
  readonly undo: Edit | null;
  readonly redo: Edit | null;
}

export interface Undoing {
  readonly last: Store<LastEdits>;
  /** Reads them, and again whenever something was changed; answers what ends it. */
  readonly follow: () => () => void;
  /** Undoes or redoes one, or the next one. Throws what the server says; null: there is nothing. */
  readonly take: (what: What, position?: number) => Promise<Undone | null>;
  /** Runs changes of the lab one after another, so that an undo is of what was asked for before it. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Headers of a request: those with the same ones are one edit. */
export type EditHeaders = Readonly<Record<'X-Request-Id', string>>;

/** Changes the lab in its turn. All that is asked for with the headers is undone as one. Throws what the work throws. */
export const asEdit = <T>(lab: Lab, work: (headers: EditHeaders) => Promise<T>): Promise<T> =>
  undoingOf(lab).inTurn(() => work({ 'X-Request-Id': newUuid() }));

const NOTHING: LastEdits = { edits: [], undo: null, redo: null };
/** As many are asked for: enough for a menu and for those that are passed over. */
const LIMIT = '40';
/** After the last of several changes, and however many there are. Milliseconds. */
const REST_MS = 150;
const LONGEST_MS = 1_000;

const known = new WeakMap<Lab, Undoing>();

/** Undo and redo of a lab. */
export const undoingOf = (lab: Lab): Undoing => {
  const found = known.get(lab) ?? createUndoing(lab);
  known.set(lab, found);
  return found;
};

/** The next ones, but for those that the server has found nothing left of. */
export const nextOf = ({ edits: all, redo }: Schemas['Edits'], passed: ReadonlySet<number>): LastEdits => {
  const edits = all.filter(({ position }) => !passed.has(position));
  return {
    edits,
    undo: edits.find(({ can_undo }) => can_undo) ?? null,
    redo: edits.find(({ position }) => position === redo) ?? null,
  };
};

const createUndoing = (lab: Lab): Undoing => {
  const { client, projectId } = lab;
  const path = { project_id: projectId };
  const last = createStore(NOTHING);
  const passed = new Set<number>();
  const inTurn = queue();
  const read = async (): Promise<void> => {
    const edits: Schemas['Edits'] = await client.get('/v2/projects/{project_id}/edits', {
      path,
      query: { limit: LIMIT },
    });
    last.set(nextOf(edits, passed));
  };
  const take = async (what: What, position?: number): Promise<Undone | null> => {
    // Without them, what the feed has not told yet would be passed over.
    if (position === undefined) await read();
    const wanted = position ?? last.get()[what]?.position;
    if (wanted === undefined) return null;
    try {
      return await client.post(`/v2/projects/{project_id}/${what}`, { path, body: { position: wanted } });
    } catch (problem) {
      if (problem instanceof ApiError && problem.details['nothing_left'] === true) passed.add(wanted);
      throw problem;
    } finally {
      await read().catch(() => undefined);
    }
  };
  return {
    last,
    inTurn,
    take: (what, position) => inTurn(() => take(what, position)),
    follow: () => {
      const soon = createSoon(() => void read().catch(() => undefined));
      soon.now();
      const stop = lab.listen(({ action }) => {
        if (CHANGES.test(action)) soon.ask();
      });
      return () => {
        stop();
        soon.end();
      };
    },
  };
};

const CHANGES = /^(?:node|link|drawing|project)\.(?:created|updated|deleted)$/;

/** Work begins when what was asked for before it is over. */
const queue = (): Undoing['inTurn'] => {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work, work);
    last = mine.catch(() => undefined);
    return mine;
  };
};

/** Does something once after many have asked for it. */
const createSoon = (work: () => void): { ask: () => void; now: () => void; end: () => void } => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let since = 0;
  const now = (): void => {
    clearTimeout(timer);
    since = 0;
    work();
  };
  return {
    now,
    ask: () => {
      if (since === 0) since = Date.now();
      clearTimeout(timer);
      timer = setTimeout(now, Math.max(0, Math.min(REST_MS, since + LONGEST_MS - Date.now())));
    },
    end: () => clearTimeout(timer),
  };
};

/** Undoes or redoes the next edit, or one, and says what that was. */
export const takeBack = async (lab: Lab, what: What, position?: number): Promise<void> => {
  await attempt(async () => {
    const undone = await undoingOf(lab).take(what, position);
    if (undone === null) {
      notify('info', what === 'undo' ? t('There is nothing to undo.') : t('There is nothing to redo.'));
      return;
    }
    const said = sayEdit(undone.edit);
    notify('success', what === 'undo' ? t('Undone: {what}', { what: said }) : t('Redone: {what}', { what: said }));
    const left = sayLeft(undone.left);
    if (left !== null) notify('warning', left);
  });
};
