import { z } from 'zod';
import { image } from '../computes/schema.ts';

const use = z.strictObject({
  what: z.enum(['node', 'template']),
  id: z.string(),
  name: z.string(),
  project_id: z.string().nullable(),
  project: z.string().nullable().meta({ description: 'Name of its lab' }),
});

/** So many are listed of one file. */
export const MOST_USES = 100;

const used = {
  used_by: z.array(use).max(MOST_USES).meta({ description: 'The first hundred that need it' }),
  uses: z.int().meta({ description: 'How many need it' }),
};

export const catalogueImage = z.strictObject({ node_type: z.string(), ...image.shape, ...used });

export const catalogueSymbol = z.strictObject({ symbol_id: z.string(), ...used });

const nullableText = z.string().nullable();

const applianceImage = z.strictObject({
  slot: z.string(),
  filename: z.string(),
  md5sum: nullableText,
  filesize: z.number().nullable(),
  compression: nullableText.meta({ description: 'Of what is downloaded; sum and size are those of what is in it' }),
  download_url: nullableText,
  direct_download_url: nullableText,
  found: nullableText.meta({ description: 'Name among the images of the kind; null: it is missing' }),
  other_md5sum: nullableText.meta({ description: 'Of a file of this name that is another one' }),
});

const applianceTemplate = z.strictObject({
  name: z.string(),
  category: z.string(),
  symbol: nullableText,
  default_name_format: z.string().optional(),
  settings: z.record(z.string(), z.unknown()),
});

const applianceVersion = z.strictObject({
  name: nullableText.meta({ description: 'null: the file names none' }),
  kind: z.string(),
  images: z.array(applianceImage),
  template: applianceTemplate.nullable().meta({ description: 'null: none can be made; the problems say why' }),
  problems: z
    .array(z.strictObject({ field: z.string(), message: z.string() }))
    .meta({ description: 'What of the file is left out' }),
});

export const appliance = z.strictObject({
  name: z.string(),
  vendor: nullableText,
  description: nullableText,
  status: nullableText,
  registry_version: z.int(),
  documentation_url: nullableText,
  product_url: nullableText,
  usage: nullableText,
  versions: z.array(applianceVersion),
});

/** The template stands as `POST /v2/templates` takes it. */
export const applianceAnswer = appliance.extend({
  versions: z.array(
    applianceVersion.omit({ kind: true, template: true }).extend({
      node_type: z.string(),
      template: z
        .looseObject({ name: z.string(), template_type: z.string() })
        .nullable()
        .meta({ description: 'As POST /v2/templates takes it; null: none can be made, and the problems say why' }),
    }),
  ),
});
