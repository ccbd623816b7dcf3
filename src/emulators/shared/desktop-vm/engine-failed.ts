import { messageOf, TopologError } from '../../../common/errors.ts';
import type { KindNode } from '../../kit/contract.ts';

/** What a user is told of anything that went wrong with a node. */
export const engineFailed = ({ name }: KindNode, error: unknown): TopologError =>
  error instanceof TopologError
    ? error
    : new TopologError('engine_failed', { what: name, reason: messageOf(error) }, { cause: error });
