import { z } from 'zod';
import { builtinTemplates } from '../../../actors/template/templates.ts';
import type { TemplateChanges } from '../../../actors/commands.ts';
import type { Kind } from '../../../emulators/kit/contract.ts';
import { notFound } from '../../../common/errors.ts';
import type { TemplateRecord } from '../../../projections/records.ts';
import type { Api } from '../../api.ts';
import { done, jsonList, type Payload, recordText, type Route, route } from '../../routing/route.ts';
import { badField } from '../../server/parameters.ts';
import { anyObject, omit } from '../schema.ts';
import { nodeRecord } from '../nodes/schema.ts';
import { nodePlace, templateCreate, templateRecord, templateUpdate } from './schema.ts';
import { validate } from '../../server/validate.ts';

const LIST = '/v2/templates';
const TEMPLATE = `${LIST}/{template_id}` as const;

/** Those that people made, then the built-in ones. */
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
    handler: () => jsonList(templates.all(), api.json.template),
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
