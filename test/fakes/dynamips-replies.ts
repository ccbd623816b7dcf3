/** A reply `2xx-message`. */
export class Refusal extends Error {
  readonly code: number;
  /** What the program prints besides. */
  readonly printed: string;

  constructor(code: number, message: string, printed = '') {
    super(message);
    this.code = code;
    this.printed = printed;
  }
}

export interface Handler {
  /** Numbers of arguments. */
  least: number;
  most: number;
  /** Throws a Refusal. The text it returns, or `OK`, ends the reply; `tell` gives the lines before. */
  run(args: string[], tell: (info: string) => void): unknown;
}

export type Modules = Record<string, Record<string, Handler>>;

export const atoi = (text = ''): number => Number(/^\s*[-+]?\d+/.exec(text)?.[0] ?? 0);
