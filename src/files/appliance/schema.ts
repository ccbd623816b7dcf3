import { z } from 'zod';

/**
 * Appliance files (`.gns3a`), versions 1 to 8: https://github.com/GNS3/gns3-registry, schemas. Unknown keys are kept.
 */

const NEWEST = 8;
const LONGEST = 1_000;

const text = z.string().max(100_000);
const some = text.nullish();
const object = z.record(z.string(), z.unknown());
const listOf = <S extends z.ZodType>(item: S) => z.array(item).max(LONGEST);

const image = z.looseObject({
  filename: text.min(1),
  version: some,
  md5sum: some,
  checksum: some,
  checksum_type: some,
  /** Octets. */
  filesize: z.number().nonnegative().nullish(),
  download_url: some,
  direct_download_url: some,
  compression: some,
});

const version = z.looseObject({
  name: text.min(1),
  images: z.record(z.string(), text).nullish(),
  /** Name of an entry of `settings`. */
  settings: some,
  category: some,
  usage: some,
  symbol: some,
  installation_instructions: some,
});

/** From version 8 on, these replace the section of the emulator. */
const settings = z.looseObject({
  name: some,
  default: z.boolean().nullish(),
  inherit_default_properties: z.boolean().nullish(),
  template_type: text.min(1),
  template_properties: object,
});

export const applianceFile = z.looseObject({
  name: text.min(1),
  registry_version: z.int(`must be a whole number`).min(1).max(NEWEST, `must be 1 to ${NEWEST}`),
  category: some,
  description: some,
  vendor_name: some,
  product_name: some,
  status: some,
  documentation_url: some,
  product_url: some,
  usage: some,
  installation_instructions: some,
  symbol: some,
  images: listOf(image).nullish(),
  versions: listOf(version).nullish(),
  settings: listOf(settings).min(1).nullish(),
});

export type ApplianceFile = z.output<typeof applianceFile>;
export type ApplianceImage = z.output<typeof image>;
export type ApplianceVersion = z.output<typeof version>;
