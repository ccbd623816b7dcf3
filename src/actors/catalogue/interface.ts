import type { Caller } from '../caller.ts';

export interface CatalogueCommands {
  /** An image of a kind, of the server's own directory; `name` is below it. Conflict while nodes or templates name it. */
  deleteImage(caller: Caller, kind: string, name: string): Promise<void>;
  /** A picture that somebody has stored. Conflict while nodes or templates have it. */
  deleteSymbol(caller: Caller, name: string): Promise<void>;
}
