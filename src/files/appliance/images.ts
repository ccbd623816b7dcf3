import type { Kind } from '../../emulators/kit/contract.ts';
import type { ImageFile } from '../images.ts';
import type { FoundImage, Problem } from './appliance.ts';
import type { ApplianceFile, ApplianceImage, ApplianceVersion } from './schema.ts';
import { webAddress } from './texts.ts';

/** Names and sums of two files can be the same in one appliance: the version has the last word. */
const imageNamed = (
  { images }: ApplianceFile,
  filename: string,
  version: ApplianceVersion,
): ApplianceImage | undefined => {
  const named = (images ?? []).filter((image) => image.filename === filename);
  return named.find((image) => image.version === version.name) ?? named[0];
};

export const imagesOfVersion = (
  file: ApplianceFile,
  version: ApplianceVersion | null,
  kind: Kind,
  there: readonly ImageFile[],
): { images: FoundImage[]; problems: Problem[] } => {
  const images: FoundImage[] = [];
  const problems: Problem[] = [];
  for (const [slot, filename] of Object.entries(version?.images ?? {})) {
    if (version === null || filename === '') continue;
    if (!Object.hasOwn(kind.appliance?.slots ?? {}, slot)) {
      problems.push({ field: slot, message: 'there is no such place for an image' });
      continue;
    }
    images.push({ slot, filename, ...described(imageNamed(file, filename, version), filename, there) });
  }
  return { images, problems };
};

const described = (
  image: ApplianceImage | undefined,
  filename: string,
  there: readonly ImageFile[],
): Omit<FoundImage, 'slot' | 'filename'> => {
  const md5sum = sumOf(image);
  const named = there.find((one) => one.path === filename) ?? there.find((one) => one.filename === lastOf(filename));
  const same = md5sum === null ? named : there.find((one) => one.md5sum === md5sum);
  return {
    md5sum,
    filesize: image?.filesize ?? null,
    compression: image?.compression ?? null,
    download_url: webAddress(image?.download_url),
    direct_download_url: webAddress(image?.direct_download_url),
    found: same?.path ?? null,
    other_md5sum: same === undefined ? (named?.md5sum ?? null) : null,
  };
};

const lastOf = (filename: string): string => filename.split('/').at(-1) ?? filename;

/** Sums of other sorts are not kept here; then the name decides. */
const sumOf = (image: ApplianceImage | undefined): string | null => {
  const isMd5 = (image?.checksum_type ?? 'md5').toLowerCase() === 'md5';
  const sum = (image?.md5sum ?? (isMd5 ? image?.checksum : null) ?? '').trim().toLowerCase();
  return /^[0-9a-f]{32}$/.test(sum) ? sum : null;
};

/** The settings of a template that name them. */
export const settingsOfImages = (kind: Kind, images: readonly FoundImage[]): Record<string, unknown> =>
  Object.fromEntries(
    images.flatMap(({ slot, filename, found, md5sum }) => {
      const field = kind.appliance?.slots[slot] ?? slot;
      const sumField = kind.images?.sum ?? `${field}_md5sum`;
      return [[field, found ?? filename] as const, ...(md5sum === null ? [] : [[sumField, md5sum] as const])];
    }),
  );
