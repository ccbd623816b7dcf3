import type { FileSort } from '../../common/file-sort.ts';
import { LAB_SECRETS } from '../../common/lab-secrets/store.ts';
import { SECRETS, secretsOf } from '../../common/secrets.ts';
import { COMPUTE_SECRETS } from '../../computes/passwords.ts';
import type { Kind } from '../../emulators/kit/contract.ts';
import { createKinds } from '../../emulators/registry.ts';
import type { Cell } from '../../events/cell.ts';
import { LOG_FILES } from '../../events/store/level-files.ts';
import { FABRIC_FILES } from '../../fabric/client/supervise.ts';
import { IMAGE_FILES, imageFolderOf } from '../../files/images.ts';
import { PROJECT_FILES } from '../../files/project/parts.ts';
import { SYMBOL_FILES } from '../../files/symbols/symbols.ts';
import { LOGIN_KEY } from '../../http/access/tickets.ts';
import { USERS_FILE } from '../../http/access/users.ts';
import { DEBUG_FILE, SERVER_ID_FILE } from '../../server/data-directory.ts';
import { SERVER_FILE } from '../../server/found-server.ts';
import { SESSION_KEYS } from '../../session/keys.ts';
import { SPOOL } from '../../session/spool.ts';
import type { VerifyLogOptions } from '../../session/verify/verify-log.ts';
import type { Place } from '../source.ts';

/** Every sort of file that a server writes, each declared by the room that writes it. */
export const fileSorts = (kinds: { all(): readonly Kind[] }): FileSort[] => [
  ...LOG_FILES,
  LOGIN_KEY,
  SESSION_KEYS,
  COMPUTE_SECRETS,
  LAB_SECRETS,
  SERVER_ID_FILE,
  USERS_FILE,
  ...kinds.all().flatMap(ofKind),
  SERVER_FILE,
  FABRIC_FILES,
  SPOOL,
  DEBUG_FILE,
  ...PROJECT_FILES,
  IMAGE_FILES,
  SYMBOL_FILES,
];

const ofKind = ({ setting, writes }: Kind): FileSort[] => [
  ...(setting === undefined
    ? []
    : [
        {
          name: setting.file,
          what: setting.summaries.read,
          at: [setting.file],
          changed: 'named',
          check: ({ dataDir }) => setting.read(dataDir),
        } satisfies FileSort,
      ]),
  ...(writes === undefined ? [] : [writes]),
];

/** Files that `topolog verify` checks beside a log. `cell`: cell of a log in a database, whose secrets are checked if its key is known. */
export const verifyOptions = (place: Place, projectId: string | null, cell: Cell | null = null): VerifyLogOptions => {
  const { dataDir, filesDir } = place;
  const kinds = createKinds();
  const secrets = secretsOf(cell?.secrets ?? dataDir);
  const all = fileSorts(kinds).flatMap(({ name: where, at, check }) =>
    check === undefined ? [] : [{ where, at, check: () => check({ dataDir, secrets }) }],
  );
  // Secrets of a cell can only be read with its key.
  const known = place.cell?.key === null ? all.filter(({ at }) => !at.some(isSecret)) : all;
  return {
    dataDir,
    filesDir,
    projectId,
    imagesOf: imageFolderOf(filesDir, kinds),
    others: projectId === null ? known : [],
  };
};

const isSecret = (name: string): boolean =>
  (Object.values(SECRETS) as string[]).includes(name) || LAB_SECRETS.at.includes(name);
