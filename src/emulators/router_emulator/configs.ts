import { stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { LENGTHS } from '../../common/bounds.ts';
import { readBounded, textIfThere } from '../../common/file.ts';
import { writeDurably } from '../../common/durable.ts';
import { conflict } from '../../common/errors.ts';
import { type Config, configFile, CONFIGS, hasNvramInRom, nvramWritten } from './files.ts';
import { type Hypervisor, HypervisorError } from './hypervisor/hypervisor.ts';
import type { Settings } from './schema.ts';

/**
 * The configuration of a router is in its NVRAM while it runs and in files in between: the files are pushed at a start, and the
 * NVRAM is written to them at a stop.
 */
export type Texts = Readonly<Record<Config, string | null>>;

const both = async <T>(of: (config: Config) => Promise<T>): Promise<Record<Config, T>> => {
  const [startup, own] = await Promise.all([of('startup'), of('private')]);
  return { startup, private: own };
};

/** Texts of the files; null: there is no such file. */
export const readTexts = (directory: string, { id }: Pick<Settings, 'id'>): Promise<Texts> =>
  both((config) => textIfThere(path.join(directory, configFile(id, config)), LENGTHS.content));

/**
 * Pushes the files into the NVRAM of a router that is about to start. One that is older than the NVRAM is of a router that ended
 * without a stop, and what it has saved since counts. An empty file is not pushed: a router does not boot with an empty private
 * configuration.
 */
export const pushConfigs = async (
  hypervisor: Hypervisor,
  vm: string,
  directory: string,
  settings: Settings,
): Promise<void> => {
  const written = (await nvramWritten(directory, settings)) ?? 0;
  const files = await both(async (config) => {
    const name = configFile(settings.id, config);
    const found = await stat(path.join(directory, name)).catch(() => null);
    const isNewer = found !== null && found.size > 0 && found.mtimeMs >= written;
    return isNewer ? readBounded(path.join(directory, name), LENGTHS.content) : null;
  });
  if (files.startup === null && files.private === null) return;
  const said = (file: Buffer | null): string => file?.toString('base64') ?? '(keep)';
  try {
    // Told by their names, files that do not fit would be left out without a word.
    await hypervisor.send(['vm', 'push_config', vm, said(files.startup), said(files.private)]);
  } catch (error) {
    if (!(error instanceof HypervisorError) || error.kind !== 'Refused') throw error;
    const kilobytes = Math.ceil(((files.startup?.length ?? 0) + (files.private?.length ?? 0)) / 1024);
    throw conflict(
      `startup_config_content and private_config_content: ${kilobytes} kB do not fit into the NVRAM of ${vm}; make them shorter${hasNvramInRom(settings) ? '' : ', or nvram larger'}`,
      { field: 'startup_config_content' },
    );
  }
};

/** Milliseconds: versions of Dynamips stand still over an NVRAM that was never written. */
const EXTRACT_MS = 5_000;

/**
 * Writes the NVRAM of a router that was stopped to its files. A file that somebody has changed since its texts were read is for
 * the next start, and stays.
 */
export const saveConfigs = async ({
  hypervisor,
  vm,
  directory,
  settings,
  texts: before,
}: {
  hypervisor: Hypervisor;
  vm: string;
  directory: string;
  settings: Settings;
  texts: Texts;
}): Promise<void> => {
  const { text } = await hypervisor.send(['vm', 'extract_config', vm], EXTRACT_MS);
  const saved = textsOf(text);
  const now = await readTexts(directory, settings);
  for (const config of Object.keys(CONFIGS) as Config[]) {
    const file = path.join(directory, configFile(settings.id, config));
    // The newer of file and NVRAM counts at the next start.
    if (now[config] !== before[config]) await utimes(file, new Date(), new Date()).catch(() => undefined);
    else if (saved[config].length > 0) await writeDurably(file, saved[config]);
  }
};

/** Texts in the answer `conf 'R1' '<base64>' '<base64>'`. Either may be empty: nothing was saved. */
const textsOf = (text: string): Record<Config, Buffer> => {
  const [, startup = '', own = ''] = /'([A-Za-z0-9+/=]*)' '([A-Za-z0-9+/=]*)'$/.exec(text) ?? [];
  const decoded = (base64: string): Buffer =>
    Buffer.from(Buffer.from(base64, 'base64').toString('latin1').replace(/\r\n?/g, '\n'), 'latin1');
  // Only the startup configuration is surely text.
  return { startup: decoded(startup), private: Buffer.from(own, 'base64') };
};
