import { readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { LENGTHS } from '../../../common/bounds.ts';
import { readBounded, readIfThere } from '../../../common/file.ts';
import { writeDurably } from '../../../common/durable.ts';
import { readNvram, writeNvram } from './nvram.ts';

const STARTUP = 'startup-config.cfg';
const PRIVATE = 'private-config.cfg';
/** Files that an image names after its application id. */
const NAMED = [/^nvram_(\d{5})$/, /^vlan\.dat-(\d{5})$/];

/** Octets: an image takes up to 65,535 KiB. */
const MOST_NVRAM = 64 << 20;

const nameOf = (id: number): string => String(id).padStart(5, '0');
const nvramOf = (directory: string, id: number): string => path.join(directory, `nvram_${nameOf(id)}`);

/** The application id that an instance had when it ran last, by its files; null when it never did. */
export const lastIdOf = async (directory: string): Promise<number | null> => {
  const names = await readdir(directory).catch(() => []);
  const ids = names.map((name) => Number(NAMED[0]?.exec(name)?.[1])).filter((id) => id >= 1 && id <= 512);
  return ids[0] ?? null;
};

/** Gives an instance's own files the names that it looks for under an id. */
export const renameFiles = async (directory: string, id: number): Promise<void> => {
  for (const name of await readdir(directory)) {
    const found = NAMED.map((pattern) => pattern.exec(name)?.[1]).find((digits) => digits !== undefined);
    if (found === undefined || found === nameOf(id)) continue;
    const other = path.join(directory, name.replace(found, nameOf(id)));
    // The newer one is what the instance has written last.
    if ((await timeOf(other)) > (await timeOf(path.join(directory, name)))) await rm(path.join(directory, name));
    else await rename(path.join(directory, name), other);
  }
};

/** 0 for what is not there. */
const timeOf = async (file: string): Promise<number> => (await stat(file).catch(() => null))?.mtimeMs ?? 0;

/** Kilobytes of an instance's NVRAM; null: it has none yet. */
export const nvramSize = async (directory: string, id: number): Promise<number | null> => {
  const size = (await stat(nvramOf(directory, id)).catch(() => null))?.size ?? 0;
  return size === 0 ? null : Math.floor(size / 1024);
};

/**
 * Brings the texts of the node's directory and the NVRAM together before a start: the newer one counts, so that neither a text that
 * was changed nor what an instance has saved is lost. `kilobytes` tells the size of the NVRAM. Throws Error.
 */
export const importConfigs = async (directory: string, id: number, kilobytes: () => Promise<number>): Promise<void> => {
  if (await exportConfigs(directory, id)) return;
  const startup = await readIfThere(path.join(directory, STARTUP), LENGTHS.content);
  if (startup === null || startup.length === 0) return;
  const secret = await readIfThere(path.join(directory, PRIVATE), LENGTHS.content);
  const file = nvramOf(directory, id);
  const before = await readIfThere(file, MOST_NVRAM);
  await writeDurably(file, writeNvram(before, { startup, private: secret }, await kilobytes()));
};

/** Takes what an instance has saved over into the texts; false where they are newer, or there is nothing to take. */
export const exportConfigs = async (directory: string, id: number): Promise<boolean> => {
  const file = nvramOf(directory, id);
  const [saved, ...texts] = await Promise.all(
    [file, path.join(directory, STARTUP), path.join(directory, PRIVATE)].map(timeOf),
  );
  if (saved === undefined || saved <= Math.max(...texts)) return false;
  const configs = readNvram(await readBounded(file, MOST_NVRAM));
  if (configs === null) return false;
  await update(path.join(directory, STARTUP), configs.startup);
  if (configs.private !== null && configs.private.length > 0)
    await update(path.join(directory, PRIVATE), configs.private);
  return true;
};

const update = async (file: string, text: Buffer): Promise<void> => {
  if ((await readIfThere(file, MOST_NVRAM))?.equals(text) !== true) await writeDurably(file, text);
};
