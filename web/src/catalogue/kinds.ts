import { told } from '../words/words.ts';

/** A kind as people read it: the server names it with underscores. */
export const sayKind = (kind: string): string => told(kind.replaceAll('_', ' '));
