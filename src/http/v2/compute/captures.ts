import { conflict } from '../../../common/errors.ts';
import type { Kind } from '../../../emulators/kit/contract.ts';
import type { Api } from '../../api.ts';
import { followCapture, PCAP_TYPE } from '../links/pcap-stream.ts';
import { done, json, type Route, route } from '../../routing/route.ts';
import { captureResult, nodeCapture } from '../links/capture-schema.ts';
import { anyObject } from '../schema.ts';
import { portPath } from './paths.ts';

export const computeCaptureRoutes = (api: Api, kind: Kind): Route[] => [
  start(api, kind),
  stop(api, kind),
  download(api, kind),
];

const start = ({ commands, find }: Api, kind: Kind): Route =>
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

const stop = ({ commands, find }: Api, kind: Kind): Route =>
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

const download = ({ commands, records, find, limits }: Api, kind: Kind): Route =>
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
