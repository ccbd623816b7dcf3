import { conflict } from '../../errors.ts';
import type { LinkRecord } from '../../projections/records.ts';
import type { Api } from '../api.ts';
import { followCapture, PCAP_TYPE } from '../pcap-stream.ts';
import { jsonText, type Route, route } from '../route.ts';
import { linkCapture } from '../schemas/capture.ts';
import { anyObject } from '../schemas/common.ts';
import { linkRecord } from '../schemas/link.ts';
import { isCapturing } from '../wire/link.ts';
import { LINK } from './links.ts';

const ofLink = { group: 'controller', params: ['project_id', 'link_id'] } as const;

export const linkCaptureRoutes = (api: Api): Route[] => [...switches(api), download(api)];

const switches = ({ commands, wire }: Api): Route[] => [
  route({
    ...ofLink,
    method: 'POST',
    path: `${LINK}/start_capture`,
    summary: 'Start capturing the frames of a link',
    body: linkCapture,
    success: { code: 201, schema: linkRecord },
    errors: [400, 403, 404, 409],
    handler: async ({ caller, params, body }) =>
      jsonText(wire.link(await commands.startLinkCapture(caller, params.project_id, params.link_id, body))),
  }),
  route({
    ...ofLink,
    method: 'POST',
    path: `${LINK}/stop_capture`,
    summary: 'Stop capturing; the file stays',
    body: anyObject,
    success: { code: 201, schema: linkRecord },
    errors: [400, 403, 404],
    handler: async ({ caller, params }) =>
      jsonText(wire.link(await commands.stopLinkCapture(caller, params.project_id, params.link_id))),
  }),
];

const download = ({ commands, records, find, limits }: Api): Route =>
  route({
    ...ofLink,
    method: 'GET',
    path: `${LINK}/pcap`,
    summary: 'Follow the capture file of a link until the capture stops',
    success: { code: 200, type: PCAP_TYPE, description: 'A pcap file that grows' },
    errors: [400, 404, 409],
    handler: ({ params, signal }) => {
      const capture = runningCapture(find.link(params.project_id, params.link_id));
      if (!capture) throw conflict('No capture runs on this link');
      const stream = followCapture({
        path: capture.path,
        running: () => runningCapture(records.get('link', params.link_id))?.path === capture.path,
        flush: () => commands.flushCapture(capture),
        signal,
        pauseMs: limits.captureMs,
      });
      return { stream, type: PCAP_TYPE };
    },
  });

const runningCapture = (link: LinkRecord | undefined): LinkRecord['capture'] =>
  link && isCapturing(link) ? link.capture : null;
