import { z } from 'zod';
import type { Api } from '../../api.ts';
import { hasGns3Meaning } from '../../routing/controller.ts';
import { json, type Route, route } from '../../routing/route.ts';
import { debugText } from '../server/debug-text.ts';

const percent = z.int().min(0);
export const statistics = z.strictObject({
  memory_total: z.int(),
  memory_free: z.int(),
  memory_used: z.int(),
  swap_total: z.int(),
  swap_free: z.int(),
  swap_used: z.int(),
  cpu_usage_percent: percent,
  memory_usage_percent: percent,
  swap_usage_percent: percent,
  disk_usage_percent: percent,
  load_average_percent: z.array(percent).length(3),
});
export const networkInterface = z.strictObject({
  id: z.string(),
  name: z.string(),
  ip_address: z.string(),
  netmask: z.string(),
  mac_address: z.string(),
  type: z.enum(['ethernet', 'tap']),
  special: z.boolean(),
});

const ports = z.array(z.int());
const range = ports.length(2);
export const portsInUse = z.strictObject({
  console_port_range: range,
  console_ports: ports,
  udp_port_range: range,
  udp_ports: ports,
});

/** `missing`: what it needs, and the command or step that installs or permits it. */
export const engine = z.strictObject({
  node_type: z.string(),
  engine: z.string(),
  available: z.boolean(),
  version: z.string().nullable(),
  missing: z.strictObject({ needs: z.string(), install: z.string() }).nullable(),
});

export const capabilities = z.strictObject({
  version: z.string(),
  platform: z.string(),
  node_types: z.array(z.string()),
  engines: z.array(engine).exactOptional(),
});

/** Engines, network interfaces, ports in use and load of this machine. */
export const computeMachineRoutes = (api: Api): Route[] => [
  route('GET', '/v2/compute/capabilities', {
    anyServer: true,
    summary: 'What this machine can run: every engine of every kind, and what a missing one needs',
    success: { code: 200, schema: capabilities },
    handler: async (call) => {
      // A controller that knows the existing server breaks on a key that it does not know.
      const engines = hasGns3Meaning(api, call) ? undefined : await enginesHere(api);
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

export type EngineJson = z.output<typeof engine>;

export const enginesHere = async ({ engines, kindNames }: Api): Promise<EngineJson[]> =>
  (await engines()).map(({ kind, ...found }) => ({ node_type: kindNames.emit(kind), ...found }));

/** Ports in use, sorted, reserved ones among them. */
export const portsOf = ({ records, host, commands }: Pick<Api, 'records' | 'host' | 'commands'>) => {
  const nodes = records.projects().flatMap(({ project_id }) => records.ofProject('node', project_id));
  const consoles = nodes.flatMap(({ console }) => (console === null ? [] : [console]));
  const nios = nodes.flatMap((node) => Object.values(node.nios).map((nio) => Number(nio['lport'])));
  const udp = [...nios.filter(Number.isInteger), ...commands.leasedUdpPorts()];
  return {
    console_port_range: host.consoleRange,
    console_ports: sorted(consoles),
    udp_port_range: host.udpRange,
    udp_ports: sorted(udp),
  };
};

const sorted = (ports: readonly number[]): number[] => [...new Set(ports)].sort((a, b) => a - b);
