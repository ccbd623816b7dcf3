/** What somebody has typed and the server does not have yet. */
export interface Draft {
  /** The text that it was made of. */
  readonly base: string;
  readonly text: string;
}

export interface Drafts {
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
