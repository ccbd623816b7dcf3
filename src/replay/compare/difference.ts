/** Something that turned out otherwise than it is recorded. */
export interface Difference {
  /** null: by itself, between the steps. */
  step: number | null;
  /** The step's request. */
  request: string | null;
  what: string;
  /** null: there was no such thing. */
  recorded: unknown;
  now: unknown;
}
