import type { Readable } from 'node:stream';
import type { Logger } from 'pino';
import { messageOf } from '../common/errors.ts';
import type { Secrets } from '../common/secrets.ts';
import type { Store } from '../events/store/store.ts';
import type { Moments } from '../projections/past/moments.ts';
import type { CheckOptions } from './verify/check-events.ts';
import { checkStore, type StoreVerdict } from './verify/check-store.ts';
import { verifyServed } from './verify/verify-served.ts';
import { openSessionKey } from './keys.ts';
import { type ExportOptions, exportSession } from './write.ts';

export type VerifyOptions = Pick<CheckOptions, 'onProgress' | 'signal'>;

/** The proofs a server gives of its log. */
export interface Sessions {
  /** Of the key that signs; null when it could not be made. */
  publicKey: string | null;
  /** Signs a text by that key. Throws where it could not be made. */
  sign(text: string): Promise<{ public_key: string; signature: string }>;
  /** A session file. Rejects with `not_found` for a project that has never been and `invalid_request` for a wrong range. */
  export(projectId: string, options: ExportOptions): Promise<Readable>;
  /** Walks the whole log, or one project's part of it. `files`: and the files whose content it knows. */
  verify(projectId: string | null, files?: boolean, options?: VerifyOptions): Promise<StoreVerdict>;
}

export interface SessionsDeps {
  /** Asked each time, as the log may have reopened it. */
  store: () => Store;
  moments: Pick<Moments, 'at' | 'keptAt'>;
  version: string;
  filesDir: string;
  /** With the key that signs. */
  secrets: string | Secrets;
  /** Directory of the images of a kind; null where it has none. */
  imagesOf(kind: string): string | null;
  /** Directory for sessions that are being put together. */
  spool: string;
  /** Gets why there is no key: that is no reason not to serve labs. */
  logger: Logger;
}

export const createSessions = async ({ store, logger, ...deps }: SessionsDeps): Promise<Sessions> => {
  const openKey = () => openSessionKey(deps.secrets);
  const first = await openKey().catch((error: unknown) => {
    logger.error(`sessions cannot be signed: ${messageOf(error)}`);
    return null;
  });
  return {
    publicKey: first?.publicKey ?? null,
    async sign(text) {
      const key = first ?? (await openKey());
      return { public_key: key.publicKey, signature: key.sign(text) };
    },
    export: async (projectId, options) =>
      exportSession({ ...deps, store: store(), key: first ?? (await openKey()) }, projectId, options),
    verify: (projectId, files = false, options = {}) =>
      files ? verifyServed({ ...deps, store }, projectId, options) : checkStore(store(), projectId, options),
  };
};
