import path from 'node:path';
import type { Missing, Properties } from '../kit/contract.ts';
import { programVersion, which } from '../shared/process/find-program.ts';
import { DISKS, settingsOf } from './schema.ts';

export interface Programs {
  /** Absolute path. */
  qemu: string;
  /** Absolute path; null: not there, and not needed by this node. */
  qemuImg: string | null;
}

/** Oldest version with `-netdev stream`. */
const OLDEST: readonly [number, number] = [7, 2];

/** Debian's package by platform; the others are in qemu-system-misc. */
const PACKAGES: readonly (readonly [RegExp, string])[] = [
  [/^(x86_64|i386)$/, 'qemu-system-x86'],
  [/^(arm|aarch64)$/, 'qemu-system-arm'],
  [/^mips/, 'qemu-system-mips'],
  [/^ppc/, 'qemu-system-ppc'],
  [/^sparc/, 'qemu-system-sparc'],
];

/** Versions of programs, which do not change while the server runs, unless one is replaced: that is noticed at the next start. */
export type Versions = Map<string, Promise<string | null>>;

/** The programs that a node needs, or what is missing of them. */
export const findPrograms = async (
  properties: Properties,
  versions: Versions = new Map(),
): Promise<Programs | Missing> => {
  const { qemuPath, platform, images } = settingsOf(properties);
  const wanted = `qemu-system-${platform}`;
  const found = await firstOf([qemuPath, qemuPath === '' ? '' : path.basename(qemuPath), wanted]);
  const install = `apt-get install ${packageOf(platform)} qemu-utils`;
  if (found === null) return { needs: qemuPath === '' ? wanted : `${qemuPath} or ${wanted}`, install };
  const old = await tooOld(found, versions);
  if (old !== null) return { needs: `QEMU ${OLDEST.join('.')} or newer (${found} is ${old})`, install };
  const qemuImg = await firstOf([path.join(path.dirname(found), 'qemu-img'), 'qemu-img']);
  if (qemuImg === null && DISKS.some((disk) => images[`${disk}_disk_image`] !== ''))
    return { needs: 'qemu-img', install: 'apt-get install qemu-utils' };
  return { qemu: found, qemuImg };
};

export const isMissing = (found: Programs | Missing): found is Missing => 'needs' in found;

const firstOf = async (programs: readonly string[]): Promise<string | null> => {
  for (const program of programs) {
    const found = program === '' ? null : await which(program);
    if (found !== null) return found;
  }
  return null;
};

const packageOf = (platform: string): string =>
  PACKAGES.find(([pattern]) => pattern.test(platform))?.[1] ?? 'qemu-system-misc';

/** The version of a QEMU that is too old; null when it will do, or does not say. */
const tooOld = async (program: string, versions: Versions): Promise<string | null> => {
  let asked = versions.get(program);
  if (asked === undefined) versions.set(program, (asked = programVersion(program, QEMU_VERSION)));
  const version = await asked;
  const [major = 0, minor = 0] = (version ?? '').split('.').map(Number);
  if (version === null || major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return null;
  versions.delete(program);
  return version;
};

/** `QEMU emulator version 7.2.22 (Debian ...)` */
export const QEMU_VERSION = /version (\d+\.\d+[\d.]*)/;
