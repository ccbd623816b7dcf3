import { conflict, engineFailed, messageOf, TopologError } from '../../common/errors.ts';
import type { OpResult } from '../protocol.ts';
import { FabricError } from './client.ts';

/** What callers are told about a failed op of the fabric. `what` begins the sentence: a node's name, a link. */
export const toTopologError = (error: unknown, what: string): TopologError => {
  if (error instanceof TopologError) return error;
  if (!(error instanceof FabricError)) return engineFailed(what, messageOf(error));
  if (error.code === 'lost') return new TopologError('fabric_lost', {}, { cause: error });
  if (error.code === 'port_taken') return conflict(`${what}: ${error.message}`);
  return engineFailed(what, error.message, error);
};

/** Throws the first failure of results; `harmless` names codes that are none. */
export const throwFirst = (results: readonly OpResult[], what: string, harmless: readonly string[] = []): void => {
  for (const result of results) {
    if (!result.ok && !harmless.includes(result.code)) {
      throw toTopologError(new FabricError(result.code, result.message), what);
    }
  }
};
