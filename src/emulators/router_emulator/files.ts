import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';

/** Files of a router in its node's directory, where the emulator works: `c3725_i5_disk0`, `configs/i5_startup-config.cfg`. */

export const CONFIGS = { startup: 'startup-config.cfg', private: 'private-config.cfg' } as const;
export type Config = keyof typeof CONFIGS;

/** Relative to the node's directory, with `/`. */
export const configFile = (id: number, config: Config): string => `configs/i${id}_${CONFIGS[config]}`;

type RouterId = Readonly<{ platform: string; id: number }>;

/** Platforms whose NVRAM is a part of their ROM's file. */
const NVRAM_IN_ROM = new Set(['c2691', 'c3725', 'c3745']);
/** Its size is the platform's then. */
export const hasNvramInRom = ({ platform }: Pick<RouterId, 'platform'>): boolean => NVRAM_IN_ROM.has(platform);

/** Milliseconds since 1970 when the router last wrote its NVRAM; null: it has none yet. */
export const nvramWritten = (directory: string, whose: RouterId): Promise<number | null> =>
  stat(path.join(directory, `${whose.platform}_i${whose.id}_${hasNvramInRom(whose) ? 'rom' : 'nvram'}`)).then(
    ({ mtimeMs }) => mtimeMs,
    () => null,
  );

/** Files that are useless once the router does not run. */
const PASSING = /^(lock|ram|sram\d)$/;
/** Tables of instructions, which the emulator makes again where they are not. */
const TABLE = /^ilt_\w+$/;
/** Files that `auto_delete_disks` removes: all that a router keeps beside its configuration. */
const DISKS = /^(disk[01]|slot[01]|flash[01]|bootflash|nvram|rom|ssa)$/;

/** Removes what a router that has ended needs no more. */
export const tidyFiles = async (directory: string, whose: RouterId, disks: boolean): Promise<void> => {
  const begin = `${whose.platform}_i${whose.id}_`;
  for (const name of await namesIn(directory)) {
    const what = name.startsWith(begin) ? name.slice(begin.length) : '';
    if (TABLE.test(name) || PASSING.test(what) || (disks && DISKS.test(what)))
      await rm(path.join(directory, name), { force: true });
  }
};

const STATE = /^(c\d{4}_i)(\d+)(_\w+)$/;
const CONFIG = /^(i)(\d+)(_(?:startup|private)-config\.cfg)$/;

/**
 * Files of a copied node, or of one whose number was changed, carry another number: they become its own, where it has none of that name,
 * unless they are of several numbers.
 */
export const adoptFiles = async (directory: string, id: number): Promise<void> => {
  const configs = path.join(directory, 'configs');
  await mkdir(configs, { recursive: true });
  const found = [
    ...numbered(directory, await namesIn(directory), STATE),
    ...numbered(configs, await namesIn(configs), CONFIG),
  ];
  const others = found.filter((file) => file.id !== id);
  if (new Set(others.map((file) => file.id)).size !== 1) return;
  const own = new Set(found.filter((file) => file.id === id).map(({ name }) => name));
  for (const { folder, name, before, after } of others) {
    const adopted = `${before}${id}${after}`;
    if (!own.has(adopted)) await rename(path.join(folder, name), path.join(folder, adopted));
  }
};

const numbered = (folder: string, names: readonly string[], pattern: RegExp) =>
  names.flatMap((name) => {
    const [, before, id, after] = pattern.exec(name) ?? [];
    return before === undefined || after === undefined ? [] : [{ folder, name, id: Number(id), before, after }];
  });

const namesIn = async (directory: string): Promise<string[]> => {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
};
