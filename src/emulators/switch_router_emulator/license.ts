import { readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, hostname } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { LENGTHS } from '../../common/bounds.ts';
import { conflict, messageOf } from '../../common/errors.ts';
import { isThere } from '../../common/file.ts';
import { unsealed } from '../../common/sealed.ts';
import type { KindSetting, Properties } from '../kit/contract.ts';

const schema = z.strictObject({ iourc_content: z.string(), license_check: z.boolean() });

/**
 * Licence of images that need one: `iourc_content` is the text of the licence file, `license_check` whether it is checked before an image
 * is started.
 */
type License = z.infer<typeof schema>;

const FILE = 'iou_license.json';
const NONE: License = { iourc_content: '', license_check: true };

/** Files of earlier versions may lack one. */
const kept = z.strictObject({ iourc_content: z.string().exactOptional(), license_check: z.boolean().exactOptional() });

/** Reads the licence for a start whose body has none. Throws a conflict for one that is damaged. */
export const readLicense = async (dataDir: string): Promise<License> => {
  const file = path.join(dataDir, FILE);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if ((error as { code?: string }).code === 'ENOENT') return null;
    throw conflict(`the licence ${file} cannot be read: ${messageOf(error)}`);
  });
  return text === null
    ? NONE
    : { ...NONE, ...unsealed(text, kept, `the licence ${file}`, 'remove it, and set the licence again') };
};

export const LICENSE: KindSetting = {
  path: '/v2/iou_license',
  summaries: {
    read: 'Licence that images are started with when a start brings none',
    change: 'Change that licence; fields not sent keep their value',
  },
  schema,
  changes: z.strictObject({
    iourc_content: z.string().max(LENGTHS.content).exactOptional(),
    license_check: z.boolean().exactOptional(),
  }),
  file: FILE,
  read: readLicense,
  eventData: ({ iourc_content }) => ({ license: 'iou', present: iourc_content !== '' }),
};

/** Licence file in the node's directory. */
const LICENCE_FILE = 'iourc';

/** Licence fields in the body of a start. */
export interface LicenceArgs {
  content: string | null;
  /** null: it says nothing. */
  check: boolean | null;
}

export const licenceArgs = (args: Properties): LicenceArgs => {
  const { iourc_content: content, license_check: check } = args;
  return {
    content: typeof content === 'string' && content.trim() !== '' ? content : null,
    check: typeof check === 'boolean' ? check : null,
  };
};

/** A start that brings no licence takes that of the server, if it has one. */
export const withServerLicense = async (args: LicenceArgs, setting: () => Promise<License>): Promise<LicenceArgs> => {
  if (args.content !== null) return args;
  const { iourc_content, license_check } = await setting();
  return iourc_content.trim() === '' ? args : { content: iourc_content, check: args.check ?? license_check };
};

/**
 * The licence file that an image is to read: what the start brought, else what an earlier one did, else the user's own. It is
 * checked where the start says so or brings one. null: there is none, and the image decides whether it needs one. Throws a conflict.
 */
export const placeLicence = async (
  directory: string,
  { content, check }: LicenceArgs,
  env: NodeJS.ProcessEnv = process.env,
  home = homedir(),
): Promise<string | null> => {
  const own = path.join(directory, LICENCE_FILE);
  if (content !== null) {
    // An older one may be readable for others.
    await rm(own, { force: true });
    await writeFile(own, content.replace(/\r\n?/g, '\n'), { mode: 0o600 });
  }
  const places = [own, env['IOURC'] ?? '', path.join(home, '.iourc')].filter((place) => place !== '');
  const file = await firstOf(places);
  if (check ?? content !== null) await checkFile(file, places);
  return file;
};

const firstOf = async (places: readonly string[]): Promise<string | null> => {
  for (const place of places) {
    if (await isThere(place)) return place;
  }
  return null;
};

const checkFile = async (file: string | null, places: readonly string[]): Promise<void> => {
  if (file === null)
    throw conflict(
      `There is no IOU licence: looked for in ${places.join(', ')}; send it as iourc_content, or start with license_check false`,
      { field: 'iourc_content' },
    );
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw conflict(`The IOU licence ${file} cannot be read: ${messageOf(error)}`, { field: 'iourc_content' });
  });
  const wrong = faultOf(text, hostname());
  if (wrong !== null) throw conflict(`The IOU licence ${file} ${wrong}`, { field: 'iourc_content' });
};

/**
 * Finds what is wrong with the text of a licence file for a host; null: nothing that can be seen. It has a section `[license]` with a line
 * `<host> = <16 hexadecimal digits>;`. Whether the key is the host's own only the image can tell, and does as it starts.
 */
export const faultOf = (text: string, host: string): string | null => {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const begin = lines.findIndex((line) => /^\[license\]$/i.test(line));
  if (begin < 0) return 'has no section [license]';
  const end = lines.findIndex((line, at) => at > begin && line.startsWith('['));
  const section = lines.slice(begin + 1, end < 0 ? undefined : end);
  const keys = new Map(
    section.flatMap((line) => {
      const at = line.indexOf('=');
      return at < 1 || /^[#;]/.test(line) ? [] : [[line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim()]];
    }),
  );
  const key = keys.get(host.toLowerCase());
  if (key === undefined) return `has no line for this host: ${host} = <key>;`;
  if (!key.endsWith(';')) return `has a key for ${host} that does not end with ;`;
  return /^[0-9a-f]{16};$/i.test(key) ? null : `has a key for ${host} that is not 16 hexadecimal digits`;
};
