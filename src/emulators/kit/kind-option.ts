/** What a kind can be told by a flag when the server starts. */
export interface KindOption {
  flag: string;
  /** What stands for its value in the help. */
  value: string;
  /** A value as it is written. */
  form: string;
  help: string;
}

/** What kinds were told when the server was started, by flag. */
export type KindOptions = Readonly<Record<string, string>>;
