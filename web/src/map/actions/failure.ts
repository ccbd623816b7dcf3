import type { Node } from '../../store/records.ts';
import { t } from '../../words/words.ts';

/** Why a node that does not run could not be started, or is broken; null when it is well. The server keeps it in the node's record. */
export const failureOf = ({ status, properties }: Pick<Node, 'status' | 'properties'>): string | null => {
  const failure = properties['failure'];
  if (status === 'started' || typeof failure !== 'object' || failure === null) return null;
  const { message } = failure as { message?: unknown };
  return typeof message === 'string' && message !== '' ? message : t('It could not be started.');
};
