import { z } from 'zod';
import { type Use, usesOfImages, usesOfSymbols } from '../../actors/catalogue/uses.ts';
import { notFound } from '../../common/errors.ts';
import type { Kind } from '../../emulators/kit/contract.ts';
import type { Api } from '../api.ts';
import { done, json, type Route, route } from '../routing/route.ts';
import { anyObject } from './schema.ts';
import { image } from './compute/kinds.ts';

const use = z.strictObject({
  what: z.enum(['node', 'template']),
  id: z.string(),
  name: z.string(),
  project_id: z.string().nullable(),
  project: z.string().nullable().meta({ description: 'Name of its lab' }),
});

/** Uses that are listed of one file. */
const MOST_USES = 100;

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

const appliance = z.strictObject({
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

const IMAGES = '/v2/catalogue/images';
const SYMBOLS = '/v2/catalogue/symbols';

/** Catalogue of the server for all labs: images, symbols, and files that templates can be made of; docs/reference/catalogue.md. */
export const catalogueRoutes = (api: Api): Route[] => [...images(api), ...symbols(api), appliances(api)];

const usedBy = (uses: readonly Use[] = []) => ({ used_by: uses.slice(0, MOST_USES), uses: uses.length });

const images = (api: Api): Route[] => [
  route('GET', IMAGES, {
    summary: 'Images of this server of every kind, and which nodes and templates need them',
    success: { code: 200, schema: z.array(catalogueImage) },
    handler: async () => {
      const stored = api.kinds.all().filter((kind) => kind.images !== undefined);
      return json((await Promise.all(stored.map((kind) => imagesOf(api, kind)))).flat());
    },
  }),
  route('DELETE', `${IMAGES}/{emulator}/{filename}`, {
    summary: 'Delete an image that no node and no template needs',
    body: anyObject,
    errors: [400, 403, 404, 409],
    handler: ({ caller, params: { emulator, filename } }) => {
      const kind = api.kindNames.kind(emulator);
      if (kind === undefined) throw notFound('Kind', emulator);
      return done(api.commands.deleteImage(caller, kind.name, filename));
    },
  }),
];

const imagesOf = async ({ images: files, records, kinds, kindNames }: Api, kind: Kind) => {
  const uses = usesOfImages(records, kinds, kind.name);
  return (await files.list(kind)).map((image) => ({
    node_type: kindNames.emit(kind.name),
    ...image,
    ...usedBy(uses.get(image.filename)),
  }));
};

const symbols = (api: Api): Route[] => [
  route('GET', SYMBOLS, {
    summary: 'Symbols that people have stored, and which nodes and templates have them',
    success: { code: 200, schema: z.array(catalogueSymbol) },
    handler: async () => {
      const uses = usesOfSymbols(api.records);
      const own = (await api.symbols.list()).filter(({ builtin }) => !builtin);
      return json(own.map(({ symbol_id }) => ({ symbol_id, ...usedBy(uses.get(symbol_id)) })));
    },
  }),
  route('DELETE', `${SYMBOLS}/{symbol_id}`, {
    summary: 'Delete a stored symbol that no node and no template has',
    body: anyObject,
    errors: [400, 404, 409],
    handler: ({ caller, params }) => done(api.commands.deleteSymbol(caller, params.symbol_id)),
  }),
];

const appliances = (api: Api): Route =>
  route('POST', '/v2/catalogue/appliances', {
    summary: 'Read an appliance file (.gns3a): its versions, which images are there, and the templates that they make',
    body: anyObject,
    success: { code: 200, schema: applianceAnswer },
    errors: [400],
    handler: async ({ body }) => json(toJson(api, await api.appliances.read(body))),
  });

const toJson = (
  { kindNames }: Api,
  { versions, ...told }: z.output<typeof appliance>,
): z.output<typeof applianceAnswer> => ({
  ...told,
  versions: versions.map(({ kind, template, ...version }) => ({
    ...version,
    node_type: kindNames.emit(kind),
    template: template === null ? null : { ...flat(template), template_type: kindNames.emit(kind) },
  })),
});

const flat = ({
  settings,
  symbol,
  ...common
}: NonNullable<z.output<typeof appliance>['versions'][number]['template']>) => ({
  ...settings,
  ...common,
  ...(symbol === null ? {} : { symbol }),
});
