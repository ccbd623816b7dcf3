import { conflict, messageOf, TopologError } from '../../common/errors.ts';

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** Error for a client from an error of the file system. `what` begins the sentence. */
export const diskError = (error: unknown, what: string): TopologError => {
  if (error instanceof TopologError) return error;
  if (['ENOSPC', 'EDQUOT'].includes(codeOf(error))) return new TopologError('disk_full', {}, { cause: error });
  return TopologError.saying('conflict', conflict(`${what}: ${messageOf(error)}`).message);
};
