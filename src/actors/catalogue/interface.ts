import type { Caller, Upload } from '../caller.ts';

export interface CatalogueCommands {
  /** An image of a kind (`name` is below the directory of its images), replaced as a whole. */
  writeImage(caller: Caller, kind: string, name: string, file: Upload): Promise<{ bytes: number; md5sum: string }>;
  /** An image of a kind, of the server's own directory; `name` is below it. Conflict while nodes or templates name it. */
  deleteImage(caller: Caller, kind: string, name: string): Promise<void>;
  /** A picture that somebody has stored. Conflict while nodes or templates have it. */
  deleteSymbol(caller: Caller, name: string): Promise<void>;
}
