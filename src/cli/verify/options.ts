import { SECRETS, secretsOf } from '../../common/secrets.ts';
import type { Cell } from '../../events/cell.ts';
import { createKinds } from '../../emulators/registry.ts';
import { imageFolderOf } from '../../files/images.ts';
import type { VerifyLogOptions } from '../../session/verify/verify-log.ts';
import type { Place } from '../source.ts';
import { fileSorts } from './file-sorts.ts';

/** What `topolog verify` looks at beside a log. `cell`: the log is one of a database; its keys are looked at where theirs is known. */
export const verifyOptions = (place: Place, projectId: string | null, cell: Cell | null = null): VerifyLogOptions => {
  const { dataDir, filesDir } = place;
  const kinds = createKinds();
  const secrets = secretsOf(cell?.secrets ?? dataDir);
  const all = fileSorts(kinds).flatMap(({ name: where, at, check }) =>
    check === undefined ? [] : [{ where, at, check: () => check({ dataDir, secrets }) }],
  );
  // Secrets of a cell are read with its key.
  const known = place.cell?.key === null ? all.filter(({ at }) => !at.some(isSecret)) : all;
  return {
    dataDir,
    filesDir,
    projectId,
    imagesOf: imageFolderOf(filesDir, kinds),
    others: projectId === null ? known : [],
  };
};

const isSecret = (name: string): boolean => (Object.values(SECRETS) as string[]).includes(name);
