import { z } from 'zod';
import type { TemplateChanges } from '../../actors/commands.ts';
import { builtinTemplates } from '../../actors/template/templates.ts';
import { notFound } from '../../common/errors.ts';
import { withTexts } from '../../common/forms/property-text.ts';
import type { Kind } from '../../emulators/kit/contract.ts';
import { name, uuid, word } from '../../model/types.ts';
import type { TemplateRecord } from '../../projections/records.ts';
import type { Api } from '../api.ts';
import type { KindNames } from '../kind-names.ts';
import { done, type Payload, recordText, type Route, route, taggedList } from '../routing/route.ts';
import { badField } from '../server/parameters.ts';
import { validate } from '../server/validate.ts';
import { nodeRecord } from './nodes/nodes.ts';
import { anyObject, filledLine, omit, once } from './schema.ts';
import { TEMPLATE_TEXTS } from './texts.ts';

const category = z.enum(['router', 'switch', 'guest', 'firewall']);

/** Clients leave a text empty, or send null, for the default. */
const orDefault = (schema: z.ZodType<string>) =>
  z
    .union([schema, z.literal(''), z.null()])
    .transform((value) => (value === '' ? null : value))
    .exactOptional();

const told = <S extends z.ZodRawShape>(shape: S): S => withTexts(shape, TEMPLATE_TEXTS);

/** Fields of templates of every kind; further keys are the kind's own settings, which its schema checks. */
const shared = told({
  default_name_format: orDefault(name),
  symbol: orDefault(filledLine),
  category: category.nullable().exactOptional(),
  builtin: z.unknown().exactOptional().meta({ readOnly: true }),
});

export const templateCreate = once((names: KindNames) =>
  z.looseObject({
    ...told({
      name,
      template_type: z.enum(names.accepted),
      template_id: uuid.exactOptional(),
      compute_id: word.nullable().exactOptional(),
    }),
    ...shared,
  }),
);

const FIXED = ['template_id', 'template_type', 'compute_id', 'builtin'];

/** A record may come back as it was read. */
export const templateUpdate = z
  .looseObject({ ...told({ name: name.exactOptional() }), ...shared })
  .transform((body) => omit(body, FIXED));

export const templateRecord = z.looseObject(
  told({
    template_id: z.string(),
    template_type: z.string(),
    name: z.string(),
    compute_id: z.string().nullable(),
    default_name_format: z.string(),
    symbol: z.string(),
    category,
    builtin: z.boolean(),
  }),
);

const nodePlace = z.strictObject({
  x: z.int(),
  y: z.int(),
  name: name.nullable().exactOptional(),
  compute_id: word.nullable().exactOptional(),
});

/** `emit`: name of a kind as answers carry it. */
export const templateToJson = (t: TemplateRecord, emit: (token: string) => string) => ({
  ...t.settings,
  template_id: t.template_id,
  template_type: emit(t.kind),
  name: t.name,
  compute_id: t.compute_id,
  default_name_format: t.default_name_format,
  symbol: t.symbol,
  category: t.category,
  builtin: t.builtin,
});

const LIST = '/v2/templates';
const TEMPLATE = `${LIST}/{template_id}` as const;

/** Templates that people made, then the built-in ones. */
interface Templates {
  all(): TemplateRecord[];
  get(id: string): TemplateRecord;
}

export const templateRoutes = (api: Api): Route[] => {
  const builtin = builtinTemplates(api.kinds);
  const templates: Templates = {
    all: () => [
      ...api.records.ofServer('template').filter((template) => !template.builtin),
      ...[...builtin].map(([id, template]) => api.records.get('template', id) ?? template),
    ],
    get: (id) => {
      const record = api.records.get('template', id) ?? builtin.get(id);
      if (record === undefined) throw notFound('Template', id);
      return record;
    },
  };
  return [...collection(api, templates), ...single(api, templates), ...uses(api)];
};

const answer = (api: Api, record: TemplateRecord): Payload => recordText(api.json.template(record), record);

const collection = (api: Api, templates: Templates): Route[] => [
  route('GET', LIST, {
    anyServer: true,
    summary: 'Templates that nodes can be made of',
    success: { code: 200, schema: z.array(templateRecord) },
    handler: () => taggedList(templates.all(), api.json.template),
  }),
  route('POST', LIST, {
    summary: 'Create a template; what is left out gets the default of its kind',
    body: templateCreate(api.kindNames),
    success: { code: 201, schema: templateRecord },
    errors: [400, 409],
    handler: async ({ caller, body: { template_type, template_id, name, compute_id, ...rest } }) => {
      const kind = api.kindNames.kind(template_type);
      if (!kind) throw badField('template_type', `must be one of ${api.kindNames.accepted.join(', ')}`);
      const input = {
        ...changesOf(kind, rest),
        ...(template_id === undefined ? {} : { template_id }),
        ...(compute_id === undefined ? {} : { compute_id }),
        kind: kind.name,
        name,
      };
      return answer(api, await api.commands.createTemplate(caller, input));
    },
  }),
];

const single = (api: Api, templates: Templates): Route[] => [
  route('GET', TEMPLATE, {
    anyServer: true,
    summary: 'Read a template',
    success: { code: 200, schema: templateRecord },
    errors: [400, 404],
    handler: ({ params }) => answer(api, templates.get(params.template_id)),
  }),
  route('PUT', TEMPLATE, {
    summary: 'Change a template; fields not sent keep their value',
    body: templateUpdate,
    success: { code: 200, schema: templateRecord },
    errors: [400, 404, 409, 412],
    handler: async ({ caller, params: { template_id }, body }) => {
      const kind = api.kindNames.kind(templates.get(template_id).kind);
      const changes = kind === undefined ? {} : changesOf(kind, body);
      return answer(api, await api.commands.updateTemplate(caller, template_id, changes));
    },
  }),
  route('DELETE', TEMPLATE, {
    summary: 'Delete a template; nodes made of it stay',
    body: anyObject,
    errors: [400, 404, 409, 412],
    handler: ({ caller, params }) => done(api.commands.deleteTemplate(caller, params.template_id)),
  }),
];

const uses = (api: Api): Route[] => [
  route('POST', `${TEMPLATE}/duplicate`, {
    summary: 'Copy a template, under a name of its own',
    body: anyObject,
    success: { code: 201, schema: templateRecord },
    errors: [400, 404, 409],
    handler: async ({ caller, params }) =>
      answer(api, await api.commands.duplicateTemplate(caller, params.template_id)),
  }),
  route('POST', '/v2/projects/{project_id}/templates/{template_id}', {
    summary: 'Create a node from a template; its name is made unique',
    body: nodePlace,
    success: { code: 201, schema: nodeRecord },
    errors: [400, 403, 404, 409],
    handler: async ({ caller, params: { project_id, template_id }, body: { x, y, name, compute_id } }) => {
      const place = { x, y, ...(name == null ? {} : { name }), ...(compute_id == null ? {} : { compute_id }) };
      const record = await api.commands.createNodeFromTemplate(caller, project_id, template_id, place);
      return recordText(api.json.node(record), record);
    },
  }),
];

const COMMON = ['name', 'default_name_format', 'symbol', 'category', 'builtin'];

/** The kind's settings are checked by its schema. A null in the rest means the default, which is what creation fills in. */
const changesOf = (kind: Kind, body: Readonly<Record<string, unknown>>): TemplateChanges => {
  const given = validate(kind.template.settings, kind.template.tidy(omit(body, COMMON)));
  const common = Object.entries(body).filter(
    ([key, value]) => COMMON.includes(key) && key !== 'builtin' && value !== null,
  );
  return { ...Object.fromEntries(common), ...(Object.keys(given).length === 0 ? {} : { settings: given }) };
};
