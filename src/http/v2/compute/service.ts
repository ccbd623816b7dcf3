import { z } from 'zod';
import type { Api } from '../../api.ts';
import { meansAsExisting } from '../../controller/ways.ts';
import { debugText } from '../server/debug-text.ts';
import { enginesHere } from '../computes/engines.ts';
import { portsOf } from '../computes/ports-in-use.ts';
import { capabilities } from '../server/schema.ts';
import { json, type Route, route } from '../../routing/route.ts';
import { networkInterface, portsInUse, statistics } from '../computes/schema.ts';

/** What the compute group tells of this machine. */
export const computeServiceRoutes = (api: Api): Route[] => [
  route('GET', '/v2/compute/capabilities', {
    anyServer: true,
    summary: 'What this machine can run: every engine of every kind, and what a missing one needs',
    success: { code: 200, schema: capabilities },
    handler: async (call) => {
      // A controller that knows the existing server breaks on a key that it does not know.
      const engines = meansAsExisting(api, call) ? undefined : await enginesHere(api);
      const answer = {
        version: api.shownVersion,
        platform: process.platform,
        node_types: api.kindNames.emitted,
        ...(engines === undefined ? {} : { engines }),
      };
      return { json: JSON.stringify(answer), headers: { 'X-Topolog': api.version } };
    },
  }),
  route('GET', '/v2/compute/network/interfaces', {
    summary: 'Network interfaces of this machine; special ones belong to bridges and hypervisors',
    success: { code: 200, schema: z.array(networkInterface) },
    handler: async () => json(await api.host.interfaces()),
  }),
  route('GET', '/v2/compute/network/ports', {
    summary: 'Ports that consoles and NIOs may take, and those that they have',
    success: { code: 200, schema: portsInUse },
    handler: () => json(portsOf(api)),
  }),
  route('GET', '/v2/compute/statistics', {
    summary: 'How busy this machine is',
    success: { code: 200, schema: statistics },
    handler: async () => json(await api.host.statistics()),
  }),
  route('GET', '/v2/compute/debug', {
    summary: 'A text about this server for those who look for a fault; no secrets are in it',
    success: { code: 200, type: 'text/plain', description: 'Lines of text' },
    handler: async () => ({ text: await debugText(api), type: 'text/plain; charset=utf-8' }),
  }),
];
