import path from 'node:path';
import { conflict } from '../../../common/errors.ts';
import type { NodeFile, Properties } from '../../kit/contract.ts';
import { bytesOf, type Service, ServiceError } from '../service.ts';
import { pack, unpack } from './tar.ts';

/** Files of a container that its node has the text of: copies, made before each start. */

interface FileOfNode {
  path: string;
  content: string;
  encoding?: 'base64';
  /** Octal; absent: 644. */
  mode?: string;
}

/** Configuration file of the routing daemons of FRR. */
const FRR = '/etc/frr/frr.conf';
/** Octets of one file: what is longer is no configuration. */
const LONGEST = 1024 ** 2;

const filesOf = (properties: Properties): FileOfNode[] => (properties['files'] as FileOfNode[] | undefined) ?? [];

/** Into a container that has been made and does not run yet. Directories that are missing come with them. */
export const copyIn = async (service: Service, id: string, properties: Properties): Promise<void> => {
  const files = filesOf(properties);
  if (files.length === 0) return;
  const archive = pack(
    files.map(({ path: place, content, encoding, mode = '644' }) => ({
      name: place.replace(/^\/+/, ''),
      content: Buffer.from(content, encoding ?? 'utf8'),
      mode: parseInt(mode, 8),
    })),
  );
  try {
    await service.call('PUT', `/containers/${id}/archive`, { query: { path: '/' }, bytes: archive });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw conflict(`files: they cannot be copied into the container: ${error.message}`, { field: 'files' });
  }
};

/**
 * Configuration of a container as it is now: the files that the node names, or the texts that it brought and that of FRR. Missing ones are left
 * out.
 */
export const readConfiguration = async (service: Service, id: string, properties: Properties): Promise<NodeFile[]> => {
  const named = properties['config_files'] as string[] | undefined;
  const texts = filesOf(properties).filter(({ encoding }) => encoding === undefined);
  const paths = named ?? [...new Set([...texts.map(({ path }) => path), FRR])];
  const found: NodeFile[] = [];
  for (const path of paths) {
    const file = await readOut(service, id, path);
    if (file !== null) found.push({ name: path.replace(/^\/+/, ''), content: file });
  }
  return found;
};

/** The files below a directory of a container, by their paths; none where it is not there. What goes beyond a limit is left out. */
export const readTree = async (service: Service, id: string, directory: string): Promise<Map<string, string>> => {
  const parent = path.posix.dirname(directory);
  try {
    const answer = await service.stream('GET', `/containers/${id}/archive`, { query: { path: directory } });
    const files = unpack(await bytesOf(answer, LONGEST));
    return new Map(files.map(({ name, content }) => [path.posix.join(parent, name), content.toString('utf8')]));
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return new Map();
    throw error;
  }
};

const readOut = async (service: Service, id: string, path: string): Promise<string | null> => {
  try {
    const answer = await service.stream('GET', `/containers/${id}/archive`, { query: { path } });
    const [file] = unpack(await bytesOf(answer, LONGEST + 64 * 1024));
    return file === undefined || file.content.length > LONGEST ? null : file.content.toString('utf8');
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return null;
    throw error;
  }
};
