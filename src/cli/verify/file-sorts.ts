import type { FileSort } from '../../common/file-sort.ts';
import { COMPUTE_SECRETS } from '../../computes/passwords.ts';
import type { Kind } from '../../emulators/kit/contract.ts';
import { LOG_FILES } from '../../events/store/level-files.ts';
import { FABRIC_FILES } from '../../fabric/client/supervise.ts';
import { IMAGE_FILES } from '../../files/images.ts';
import { PROJECT_FILES } from '../../files/project/parts.ts';
import { SYMBOL_FILES } from '../../files/symbols/symbols.ts';
import { LOGIN_KEY } from '../../http/access/tickets.ts';
import { USERS_FILE } from '../../http/access/users.ts';
import { SERVER_FILE } from '../../server/found-server.ts';
import { DEBUG_FILE, SERVER_ID_FILE } from '../../server/data-directory.ts';
import { SESSION_KEYS } from '../../session/keys.ts';
import { SPOOL } from '../../session/spool.ts';

/** Every sort of file that a server writes, each as the room says it that writes it. */
export const fileSorts = (kinds: { all(): readonly Kind[] }): FileSort[] => [
  ...LOG_FILES,
  ...[LOGIN_KEY, SESSION_KEYS, COMPUTE_SECRETS, SERVER_ID_FILE, USERS_FILE],
  ...kinds.all().flatMap(ofKind),
  ...[SERVER_FILE, FABRIC_FILES, SPOOL, DEBUG_FILE],
  ...PROJECT_FILES,
  ...[IMAGE_FILES, SYMBOL_FILES],
];

const ofKind = ({ setting, writes }: Kind): FileSort[] => [
  ...(setting === undefined
    ? []
    : [
        {
          ...{ name: setting.file, what: setting.summaries.read, at: [setting.file], changed: 'named' },
          check: ({ dataDir }) => setting.read(dataDir),
        } satisfies FileSort,
      ]),
  ...(writes === undefined ? [] : [writes]),
];
