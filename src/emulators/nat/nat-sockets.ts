import { chown, mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { userDirectory } from '../../fabric/client/runtime-directory.ts';
import type { EngineContext, KindNode } from '../kit/contract.ts';
import { markArgument } from '../../processes/marker.ts';

/**
 * Directory of the sockets of a node. It is named by the marker, which so is in passt's arguments: passt hides its environment.
 * Started as root it becomes `nobody`, who must be able to make the sockets: then the directory is that user's, and beside the
 * others of the system, as nobody else may pass through ours. Where passt is confined by AppArmor, it makes sockets below `/tmp` only.
 */
const directoryOf = async (nodeId: string, { mark }: EngineContext): Promise<string> =>
  path.join(isRoot() ? '/tmp' : await userDirectory(), markArgument(nodeId, mark));

const isRoot = (): boolean => process.getuid?.() === 0;

/** An empty directory for a start. */
export const makeNatSockets = async (
  { node_id }: Pick<KindNode, 'node_id'>,
  context: EngineContext,
): Promise<string> => {
  const directory = await directoryOf(node_id, context);
  await rm(directory, { recursive: true, force: true });
  // Fails where somebody else has made it meanwhile.
  await mkdir(directory, { mode: 0o700 });
  if (isRoot()) {
    const [user, group] = await nobody();
    await chown(directory, user, group);
  }
  return directory;
};

export const removeNatSockets = async (nodeId: string, context: EngineContext): Promise<void> => {
  await rm(await directoryOf(nodeId, context), { recursive: true, force: true });
};

/** passwd(5): the user whom passt becomes, and its group. */
const nobody = async (): Promise<[number, number]> => {
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const [, user = '65534', group = '65534'] = /^nobody:[^:]*:(\d+):(\d+):/m.exec(users) ?? [];
  return [Number(user), Number(group)];
};
