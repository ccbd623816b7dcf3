import type { Node } from '../../store/records.ts';
import { t, told } from '../../words/words.ts';

/** Why a node that does not run could not be started, or is broken; null when it is well. The server keeps it in the node's record. */
export const failureOf = ({ status, properties }: Pick<Node, 'status' | 'properties'>): string | null => {
  const failure = properties['failure'];
  if (status === 'started' || typeof failure !== 'object' || failure === null) return null;
  const { message } = failure as { message?: unknown };
  return typeof message === 'string' && message !== '' ? told(message) : t('It could not be started.');
};

/** Remedy for a failure, as the server describes it. */
export interface Mend {
  /** Name of an image that is to be uploaded. */
  readonly image: string | null;
  /** Command that installs or permits the missing program. */
  readonly install: string | null;
}

/** null: nothing that the page could offer. */
export const mendOf = ({ status, properties }: Pick<Node, 'status' | 'properties'>): Mend | null => {
  const { mend } = (properties['failure'] ?? {}) as { mend?: { image?: unknown; install?: unknown } };
  if (status === 'started' || mend === undefined) return null;
  const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
  const found = { image: text(mend.image), install: text(mend.install) };
  return found.image === null && found.install === null ? null : found;
};
