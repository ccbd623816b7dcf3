import { z } from 'zod';
import { conflict, notFound } from '../../../common/errors.ts';
import type { KindSetting } from '../../../emulators/kit/contract.ts';
import type { Api } from '../../api.ts';
import { json, type Route, route } from '../../routing/route.ts';
import { anyObject } from '../schema.ts';

export const settingRoutes = (api: Api): Route[] => [
  ...api.kinds.all().flatMap(({ name, setting }) => (setting === undefined ? [] : ofKind(api, name, setting))),
  ...helperRoutes,
];

const ofKind = (api: Api, kind: string, setting: KindSetting): Route[] => [
  route('GET', setting.path, {
    summary: setting.summaries.read,
    success: { code: 200, schema: setting.schema },
    handler: async () => json(await api.readSetting(setting)),
  }),
  route('PUT', setting.path, {
    summary: setting.summaries.change,
    body: setting.changes,
    success: { code: 201, schema: setting.schema },
    errors: [400, 409],
    handler: async ({ caller, body }) => json(await api.commands.changeKindSetting(caller, kind, body)),
  }),
];

const list = { success: { code: 200, schema: z.array(z.looseObject({})) } } as const;

/** Everything runs here: there is no helper machine, and no source of appliances. Clients ask for both all the same. */
const NO_HELPER = {
  enable: false,
  engine: 'remote',
  vmname: '',
  headless: false,
  when_exit: 'keep',
  allocate_vcpus_ram: false,
  ram: 0,
  vcpus: 0,
  port: 80,
};
/** The one that settings name: clients show a list, and ask each of its entries for its machines. */
const ENGINES = [
  {
    engine_id: NO_HELPER.engine,
    name: 'Remote',
    description: 'Another server in place of a helper machine. This server runs every node itself and has none.',
    support_when_exit: false,
    support_headless: false,
    support_ram: false,
  },
];

const helperRoutes: Route[] = [
  route('GET', '/v2/appliances', {
    summary: 'Appliances that templates can be made of: none',
    ...list,
    handler: () => json([]),
  }),
  route('GET', '/v2/gns3vm', {
    summary: 'Settings of the helper machine: it is off, as this server has none',
    success: { code: 200, schema: z.looseObject({ enable: z.boolean() }) },
    handler: () => json(NO_HELPER),
  }),
  route('PUT', '/v2/gns3vm', {
    summary: 'Settings of the helper machine may be sent as long as it stays off: this server has none',
    body: anyObject,
    success: { code: 201, schema: z.looseObject({}) },
    errors: [409],
    handler: ({ body }) => {
      if (body['enable'] === true)
        throw conflict('a helper machine is not supported: this server runs every node itself', { field: 'enable' });
      return json(NO_HELPER);
    },
  }),
  route('GET', '/v2/gns3vm/engines', {
    summary: 'Where a helper machine could be, to be shown in a list; there is none',
    ...list,
    handler: () => json(ENGINES),
  }),
  route('GET', '/v2/gns3vm/engines/{engine}/vms', {
    summary: 'Machines that could be the helper: none',
    ...list,
    errors: [404],
    handler: ({ params: { engine } }) => {
      if (engine !== NO_HELPER.engine) throw notFound('Engine of helper machines', engine);
      return json([]);
    },
  }),
];
