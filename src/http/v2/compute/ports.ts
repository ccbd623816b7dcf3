import { z } from 'zod';
import { conflict } from '../../../common/errors.ts';
import type { Kind } from '../../../emulators/kit/contract.ts';
import type { Api } from '../../api.ts';
import { servesController } from '../../routing/controller.ts';
import { done, json, type Route, route } from '../../routing/route.ts';
import { captureResult, nodeCapture } from '../captures/link-captures.ts';
import { followCapture, PCAP_TYPE } from '../captures/pcap-stream.ts';
import { anyObject, filledLine, omit, tcpPort } from '../schema.ts';
import { portPath } from './nodes.ts';
import { filters } from '../../../model/types.ts';

const device = z.string().regex(/^[^\s/\0]{1,15}$/, 'must be the name of a network device, at most 15 characters');

/** Each type of NIO with its fields; `filters` and `suspend` act on every frame through it. */
const shapes = {
  nio_udp: { lport: tcpPort, rhost: filledLine, rport: tcpPort },
  nio_tap: { tap_device: device },
  nio_ethernet: { ethernet_device: device },
  nio_generic_ethernet: { ethernet_device: device },
  nio_linux_ethernet: { ethernet_device: device },
  nio_unix: { local_file: filledLine, remote_file: filledLine },
  nio_vde: { control_file: filledLine, local_file: filledLine },
  nio_vmnet: { vmnet: filledLine },
  nio_nat: {},
  nio_null: {},
} satisfies Record<string, z.ZodRawShape>;

const isType = (type: string): type is keyof typeof shapes => Object.hasOwn(shapes, type);

const one = (type: keyof typeof shapes) =>
  z.strictObject({
    type: z.literal(type),
    ...shapes[type],
    filters: filters.exactOptional(),
    suspend: z.boolean().exactOptional(),
  });

/** The NIOs that a kind takes. Each parses to an object with its `type`. */
const nioOf = (types: readonly string[]): z.ZodType<{ type: string } & Record<string, unknown>> => {
  const [first, ...rest] = types.filter(isType).map(one);
  return first ? z.discriminatedUnion('type', [first, ...rest], `must be one of ${types.join(', ')}`) : z.never();
};

export const nioRecord = z
  .looseObject({ type: z.string() })
  .meta({ description: 'The NIO: its type and its addresses' });

/** NIOs and captures of ports. */
export const computePortRoutes = (api: Api, kind: Kind): Route[] => [
  ...nioRoutes(api, kind),
  startCapture(api, kind),
  stopCapture(api, kind),
  downloadCapture(api, kind),
];

const nioRoutes = (api: Api, kind: Kind): Route[] => {
  const { commands, find } = api;
  const path = `${portPath(kind)}/nio` as const;
  const body = nioOf(kind.capabilities.nio_types);
  const update = route('PUT', path, {
    summary: `Change filters or suspension of a NIO of a ${kind.name} node`,
    body,
    success: { code: 201, schema: nioRecord },
    errors: [400, 403, 404, 409],
    handler: async ({ caller, params, body: nio }) => {
      const { project_id, node_id } = params;
      find.node(project_id, node_id, kind.name);
      return json(await commands.updateNio(caller, params, nio));
    },
  });
  return [
    route('POST', path, {
      summary: `Attach a NIO to a port of a ${kind.name} node`,
      body,
      success: { code: 201, schema: nioRecord },
      errors: [400, 403, 404, 409],
      handler: async (call) => {
        const { caller, params, body: nio } = call;
        const { project_id, node_id, adapter_number, port_number } = params;
        const { nios } = find.node(project_id, node_id, kind.name);
        // A controller that has forgotten the last one, as after its crash, has no other way.
        const isThere = servesController(api, call) && nios[`${adapter_number}/${port_number}`] !== undefined;
        const made = await commands[isThere ? 'updateNio' : 'addNio'](caller, params, nio);
        return json(omit(made, ['filters', 'suspend']));
      },
    }),
    ...(kind.capabilities.nio_update ? [update] : []),
    route('DELETE', path, {
      summary: `Detach the NIO from a port of a ${kind.name} node`,
      body: anyObject,
      errors: [400, 403, 404, 409],
      handler: async ({ caller, params }) => {
        const { project_id, node_id } = params;
        find.node(project_id, node_id, kind.name);
        return done(commands.removeNio(caller, params));
      },
    }),
  ];
};

const startCapture = ({ commands, find }: Api, kind: Kind): Route =>
  route('POST', `${portPath(kind)}/start_capture`, {
    summary: `Start capturing on a port of a ${kind.name} node`,
    body: nodeCapture,
    success: { code: 200, schema: captureResult },
    errors: [400, 403, 404, 409],
    handler: async ({ caller, params, body }) => {
      const { project_id, node_id } = params;
      find.node(project_id, node_id, kind.name);
      const capture = await commands.startNodeCapture(caller, params, body);
      return json({ pcap_file_path: capture.path });
    },
  });

const stopCapture = ({ commands, find }: Api, kind: Kind): Route =>
  route('POST', `${portPath(kind)}/stop_capture`, {
    summary: `Stop capturing on a port of a ${kind.name} node; the file stays`,
    body: anyObject,
    errors: [400, 403, 404, 409],
    handler: async ({ caller, params }) => {
      const { project_id, node_id } = params;
      find.node(project_id, node_id, kind.name);
      return done(commands.stopNodeCapture(caller, params));
    },
  });

const downloadCapture = ({ commands, records, find, limits }: Api, kind: Kind): Route =>
  route('GET', `${portPath(kind)}/pcap`, {
    summary: `Follow the capture file of a port of a ${kind.name} node until the capture stops`,
    success: { code: 200, type: PCAP_TYPE, description: 'A pcap file that grows' },
    errors: [400, 404, 409],
    handler: ({ params, signal }) => {
      const { project_id, node_id, adapter_number, port_number } = params;
      const key = `${adapter_number}/${port_number}`;
      const capture = find.node(project_id, node_id, kind.name).captures[key];
      if (!capture) throw conflict(`No capture runs on adapter ${adapter_number} port ${port_number}`);
      const stream = followCapture({
        path: capture.path,
        running: () => records.get('node', node_id)?.captures[key]?.path === capture.path,
        flush: () => commands.flushCapture(params),
        signal,
        pauseMs: limits.captureMs,
      });
      return { stream, type: PCAP_TYPE };
    },
  });
