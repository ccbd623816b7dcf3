import { readFile } from 'node:fs/promises';
import { usersFileOf } from '../../server/config.ts';
import { createKinds } from '../../emulators/registry.ts';
import { imageFolderOf } from '../../files/images.ts';
import type { Directories } from '../../files/project/data-directory.ts';
import { checkTicketKey } from '../../http/access/ticket-key.ts';
import { parseUsers } from '../../http/access/users.ts';
import { checkSessionKey } from '../../session/keys.ts';
import type { VerifyOptions } from '../../session/verify/verify-directory.ts';

/** What `topolog verify` looks at. */
export const verifyOptions = ({ dataDir, filesDir }: Directories, projectId: string | null): VerifyOptions => {
  const all = [
    { where: 'keys', check: () => checkSessionKey(dataDir) },
    { where: 'keys', check: () => checkTicketKey(dataDir) },
    { where: 'users', check: async () => parseUsers(await readFile(usersFileOf(dataDir), 'utf8').catch(() => '')) },
  ];
  return {
    dataDir,
    filesDir,
    projectId,
    imagesOf: imageFolderOf(filesDir, createKinds()),
    others: projectId === null ? all : [],
  };
};
