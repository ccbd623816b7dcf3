import { z } from 'zod';
import { LENGTHS } from '../../../common/bounds.ts';
import { conflict, notFound } from '../../../common/errors.ts';
import type { Api } from '../../api.ts';
import { json, type Route, route } from '../../routing/route.ts';
import { anyObject } from '../schema.ts';

const license = z.strictObject({ iourc_content: z.string(), license_check: z.boolean() });
const licenseChanges = z.strictObject({
  iourc_content: z.string().max(LENGTHS.content).exactOptional(),
  license_check: z.boolean().exactOptional(),
});

export const settingRoutes = (api: Api): Route[] => [...licenseRoutes(api), ...helperRoutes];

const licenseRoutes = (api: Api): Route[] => [
  route('GET', '/v2/iou_license', {
    summary: 'Licence that images are started with when a start brings none',
    success: { code: 200, schema: license },
    handler: async () => json(await api.license()),
  }),
  route('PUT', '/v2/iou_license', {
    summary: 'Change that licence; fields not sent keep their value',
    body: licenseChanges,
    success: { code: 201, schema: license },
    errors: [400, 409],
    handler: async ({ caller, body }) => json(await api.commands.changeLicense(caller, body)),
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
