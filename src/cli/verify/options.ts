import { readFile } from 'node:fs/promises';
import { secretsOf } from '../../common/secrets.ts';
import type { Cell } from '../../events/cell.ts';
import { usersFileOf } from '../../server/config.ts';
import { createKinds } from '../../emulators/registry.ts';
import { imageFolderOf } from '../../files/images.ts';
import { checkTicketKey } from '../../http/access/ticket-key.ts';
import { parseUsers } from '../../http/access/users.ts';
import { checkSessionKey } from '../../session/keys.ts';
import type { VerifyOptions } from '../../session/verify/verify-directory.ts';
import type { Place } from '../source.ts';

/** What `topolog verify` looks at beside a log. `cell`: the log is one of a database; its keys are looked at where theirs is known. */
export const verifyOptions = (place: Place, projectId: string | null, cell: Cell | null = null): VerifyOptions => {
  const { dataDir, filesDir } = place;
  const keys = secretsOf(cell?.secrets ?? dataDir);
  const all = [
    { where: 'keys', check: () => checkSessionKey(keys) },
    { where: 'keys', check: () => checkTicketKey(keys) },
    { where: 'users', check: async () => parseUsers(await readFile(usersFileOf(dataDir), 'utf8').catch(() => '')) },
  ];
  const known = place.cell?.key === null ? all.filter(({ where }) => where !== 'keys') : all;
  return {
    dataDir,
    filesDir,
    projectId,
    imagesOf: imageFolderOf(filesDir, createKinds()),
    others: projectId === null ? known : [],
  };
};
