import type { Readable } from 'node:stream';
import type { Logger } from 'pino';
import { messageOf } from '../common/errors.ts';
import { LabSecrets } from '../common/lab-secrets/store.ts';
import type { Secrets } from '../common/secrets.ts';
import type { Store } from '../events/store/store.ts';
import type { Moments } from '../projections/past/moments.ts';
import type { CheckOptions } from './verify/findings.ts';
import { checkStore, type StoreVerdict } from './verify/check-store.ts';
import { verifyServed } from './verify/verify-log.ts';
import { openSessionKey } from './keys.ts';
import { type ExportOptions, exportSession } from './export.ts';

export type VerifyOptions = Pick<CheckOptions, 'onProgress' | 'signal'>;

/** Signed exports of the log, and checks of it. */
export interface Sessions {
  /** Public key of the signing key; null when that could not be opened or made. */
  publicKey: string | null;
  /** Signs a text. Throws where the key cannot be opened or made. */
  sign(text: string): Promise<{ public_key: string; signature: string }>;
  /** A session file. Rejects with `not_found` for a project that never existed and `invalid_request` for a wrong range. */
  export(projectId: string, options: ExportOptions): Promise<Readable>;
  /** Checks the whole log, or one project's part of it; with `files` also the files whose content the log knows. */
  verify(projectId: string | null, files?: boolean, options?: VerifyOptions): Promise<StoreVerdict>;
}

export interface SessionsDeps {
  /** The store of now: the log may have reopened it. */
  store: () => Store;
  moments: Pick<Moments, 'at' | 'storedAt'>;
  version: string;
  filesDir: string;
  /** Where the signing key is: a data directory, or a store of secrets. */
  secrets: string | Secrets;
  /** Directory of the images of a kind; null where it has none. */
  imagesOf(kind: string): string | null;
  /** Directory of temporary files of exports. */
  spool: string;
  /** Gets the reason for which there is no key; labs are served all the same. */
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
      exportSession(
        {
          ...deps,
          store: store(),
          key: first ?? (await openKey()),
          // A server that stands by learns of new ones only so.
          secrets: await LabSecrets.read(deps.secrets),
        },
        projectId,
        options,
      ),
    verify: (projectId, files = false, options = {}) =>
      files ? verifyServed({ ...deps, store }, projectId, options) : checkStore(store(), projectId, options),
  };
};
