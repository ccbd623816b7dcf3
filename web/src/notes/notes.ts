import { ApiError } from 'topolog/client';
import type { Lab } from '../store/lab.ts';
import { sentenceOf } from '../store/notices.ts';
import { createStore, type Store } from '../store/store.ts';
import { merge } from './merge.ts';

/** Where existing tools have the notes of a project. */
const FILE = 'README.txt';

/** Somebody else has changed the same lines. */
export interface Conflict {
  readonly mine: string;
  readonly theirs: string;
  /** All of the text, one way or the other. */
  readonly texts: Readonly<Record<'mine' | 'theirs' | 'both', string>>;
}

export interface NotesState {
  readonly text: string;
  readonly status: 'loading' | 'saved' | 'unsaved' | 'saving';
  readonly problem: string | null;
  readonly conflict: Conflict | null;
}

/** The notes of a lab, which save themselves. */
export interface Notes {
  readonly state: Store<NotesState>;
  readonly edit: (text: string) => void;
  /** Ends a conflict. */
  readonly settle: (how: keyof Conflict['texts']) => void;
  /** Saves at once what is not saved yet. */
  readonly flush: () => Promise<void>;
  readonly close: () => void;
}

/** After the last key, and after a failure. Milliseconds. */
const REST_MS = 700;
const AGAIN_MS = 5_000;
/** The feed tells of a write before the file has its new content: pauses until it is looked at again. Milliseconds. */
const LOOK_MS = [100, 100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800];

/** After these the file may be another one: a connection stands again, or the lab was put back to a snapshot. */
const MISSED: ReadonlySet<string> = new Set(['project.listeners', 'reload', 'snapshot.restored']);

interface Content {
  readonly text: string;
  readonly etag: string | null;
}

type OnServer = Pick<Lab, 'client' | 'projectId' | 'listen'>;

const readContent = async ({ client, projectId }: OnServer): Promise<Content> => {
  const { body, etag } = await client.request('get', '/v2/projects/{project_id}/files/{path}', {
    path: { project_id: projectId, path: FILE },
    query: { if_missing: 'empty' },
  });
  // An answer without a byte is none.
  const text = typeof body === 'object' ? await new Response(body).text() : '';
  // As a field has it.
  return { text: text.replace(/\r\n?/g, '\n'), etag };
};

const START: NotesState = { text: '', status: 'loading', problem: null, conflict: null };

export const createNotes = (lab: OnServer, drafts: Drafts): Notes => new SavedNotes(lab, drafts);

class SavedNotes implements Notes {
  readonly state = createStore(START);
  readonly #lab: OnServer;
  readonly #drafts: Drafts;
  /** The text on the server. */
  #there: Content = { text: '', etag: null };
  /** The text from which the draft was made. */
  #base = '';
  #timer: ReturnType<typeof setTimeout> | undefined;
  #looking: ReturnType<typeof setTimeout> | undefined;
  /** Reading and writing, one after the other. */
  #last: Promise<unknown>;
  #isClosed = false;
  readonly #ends: (() => void)[] = [];

  constructor(lab: OnServer, drafts: Drafts) {
    this.#lab = lab;
    this.#drafts = drafts;
    this.#last = this.#open();
    this.#ends.push(
      lab.listen((frame) => {
        if (frame.action === 'file.written' && frame.event.node_id === null && frame.event.path === FILE)
          void this.#inTurn(() => this.#look(`"${frame.event.sha256}"`));
        if (MISSED.has(frame.action)) void this.#inTurn(() => this.#look(null));
      }),
    );
  }

  readonly edit = (text: string): void => {
    if (this.state.get().status === 'loading') return;
    this.#show({ text, status: text === this.#there.text ? 'saved' : 'unsaved' });
    this.#keep();
    this.#saveIn(REST_MS);
  };

  readonly settle = (how: keyof Conflict['texts']): void => {
    const { conflict } = this.state.get();
    if (conflict === null) return;
    this.#base = this.#there.text;
    this.#show({ conflict: null });
    this.edit(conflict.texts[how]);
    void this.flush();
  };

  readonly flush = (): Promise<void> => {
    clearTimeout(this.#timer);
    return this.#inTurn(() => this.#save());
  };

  readonly close = (): void => {
    for (const end of this.#ends) end();
    if (this.state.get().status === 'unsaved') void this.flush();
    this.#isClosed = true;
  };

  #show(part: Partial<NotesState>): void {
    this.state.update((now) => ({ ...now, ...part }));
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const mine = this.#last.then(work).catch((problem: unknown) => this.#failed(problem));
    this.#last = mine;
    return mine;
  }

  #failed(problem: unknown): void {
    this.#show({ problem: sentenceOf(problem) });
    if (this.state.get().status === 'saving') this.#show({ status: 'unsaved' });
    this.#saveIn(AGAIN_MS);
  }

  #saveIn(ms: number): void {
    clearTimeout(this.#timer);
    if (!this.#isClosed) this.#timer = setTimeout(() => void this.flush(), ms);
  }

  #keep(): void {
    const { text } = this.state.get();
    this.#drafts.keep(text === this.#there.text ? null : { base: this.#base, text });
  }

  #openAgain(): void {
    this.#last = this.#open();
  }

  async #open(): Promise<void> {
    try {
      this.#there = await readContent(this.#lab);
    } catch (problem) {
      this.#show({ problem: sentenceOf(problem) });
      if (!this.#isClosed) this.#timer = setTimeout(() => this.#openAgain(), AGAIN_MS);
      return;
    }
    const draft = this.#drafts.read();
    const there = this.#there;
    this.#base = draft?.base ?? there.text;
    this.#show({ text: draft?.text ?? there.text, status: 'saved', problem: null });
    this.#take(there);
  }

  /** Reads what somebody has written. `wanted`: its ETag, where that is known. */
  async #look(wanted: string | null, looks = 0): Promise<void> {
    clearTimeout(this.#looking);
    if (this.#isClosed || (wanted !== null && wanted === this.#there.etag)) return;
    const found = await readContent(this.#lab);
    this.#take(found);
    const pause = LOOK_MS[looks];
    if (wanted === null || wanted === found.etag || pause === undefined) return;
    this.#looking = setTimeout(() => void this.#inTurn(() => this.#look(wanted, looks + 1)), pause);
  }

  /** The server has this: puts it together with what is typed. */
  #take(there: Content): void {
    const { text } = this.state.get();
    this.#there = there;
    const { text: both, clash } = merge(this.#base, text, there.text);
    if (clash !== null) {
      this.#show({ status: 'unsaved', conflict: { ...clash, texts: { mine: text, theirs: there.text, both } } });
      return;
    }
    this.#base = there.text;
    this.#show({ text: both, conflict: null, status: both === there.text ? 'saved' : 'unsaved' });
    this.#keep();
    if (both !== there.text) this.#saveIn(REST_MS);
  }

  async #save(): Promise<void> {
    const { text, conflict, status } = this.state.get();
    if (conflict !== null || status === 'loading') return;
    if (text === this.#there.text) return this.#show({ status: 'saved', problem: null });
    this.#show({ status: 'saving' });
    const { client, projectId } = this.#lab;
    const { etag } = this.#there;
    try {
      await client.post('/v2/projects/{project_id}/files/{path}', {
        path: { project_id: projectId, path: FILE },
        body: text,
        ...(etag === null ? {} : { headers: { 'If-Match': etag } }),
      });
      // Text typed meanwhile was made of this.
      this.#base = text;
    } catch (problem) {
      if (!(problem instanceof ApiError && problem.status === 412)) throw problem;
    }
    this.#show({ problem: null });
    this.#take(await readContent(this.#lab));
  }
}

/** A text that somebody has typed and the server does not have yet. */
export interface Draft {
  /** The text that it was made of. */
  readonly base: string;
  readonly text: string;
}

interface Drafts {
  readonly read: () => Draft | null;
  /** Null: the server has it. */
  readonly keep: (draft: Draft | null) => void;
}

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>;

const isDraft = (value: unknown): value is Draft =>
  typeof value === 'object' &&
  value !== null &&
  ['base', 'text'].every((key) => typeof (value as Record<string, unknown>)[key] === 'string');

/** In the browser, for the case that the page is closed while the server is away. */
export const draftsIn = (storage: Storage, projectId: string): Drafts => {
  const key = `topolog.notes.${projectId}`;
  return {
    read: () => {
      try {
        const kept: unknown = JSON.parse(storage.getItem(key) ?? 'null');
        return isDraft(kept) ? kept : null;
      } catch {
        return null;
      }
    },
    keep: (draft) => {
      try {
        if (draft === null) storage.removeItem(key);
        else storage.setItem(key, JSON.stringify(draft));
      } catch {
        // It is full. What is typed is on the page all the same.
      }
    },
  };
};
