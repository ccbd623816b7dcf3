import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import { conflict } from '../../../common/errors.ts';
import type { LinkRecord } from '../../../projections/records.ts';
import type { Api } from '../../api.ts';
import { keepAlive } from '../../routing/web-sockets.ts';
import { jsonText, type Route, route, socketRoute } from '../../routing/route.ts';
import { isCapturing } from '../links/json.ts';
import { followCapture, PCAP_TYPE } from './pcap-stream.ts';
import { LINK } from '../links/routes.ts';
import { linkRecord } from '../links/schema.ts';
import { anyObject } from '../schema.ts';
import { packetMessage, tellPackets } from './packet-feed.ts';

const dataLinkType = z.enum(['DLT_ATM_RFC1483', 'DLT_EN10MB', 'DLT_FRELAY', 'DLT_C_HDLC', 'DLT_PPP_SERIAL']);

/** A bare name: the file always lies in the project's captures directory. */
const fileName = z
  .string()
  .min(1)
  .max(200)
  .refine((name) => !/[/\\\0]/.test(name) && name !== '.' && name !== '..', 'must be a file name without directories');

export const nodeCapture = z.strictObject({
  capture_file_name: fileName,
  data_link_type: dataLinkType.exactOptional(),
});
export const linkCapture = z.strictObject({
  capture_file_name: fileName.exactOptional(),
  data_link_type: dataLinkType.exactOptional(),
});
export const captureResult = z.strictObject({ pcap_file_path: z.string() });

export const linkCaptureRoutes = (api: Api): Route[] => [...switches(api), download(api), packets(api)];

const switches = ({ commands, json }: Api): Route[] => [
  route('POST', `${LINK}/start_capture`, {
    summary: 'Start capturing the frames of a link',
    body: linkCapture,
    success: { code: 201, schema: linkRecord },
    errors: [400, 403, 404, 409],
    handler: async ({ caller, params, body }) =>
      jsonText(json.link(await commands.startLinkCapture(caller, params, body))),
  }),
  route('POST', `${LINK}/stop_capture`, {
    summary: 'Stop capturing; the file stays',
    body: anyObject,
    success: { code: 201, schema: linkRecord },
    errors: [400, 403, 404],
    handler: async ({ caller, params }) => jsonText(json.link(await commands.stopLinkCapture(caller, params))),
  }),
];

/** The file of a running capture as it grows. Throws `conflict` where none runs. */
const follow = ({ commands, records, limits }: Api, link: LinkRecord, signal: AbortSignal): Readable => {
  const capture = runningCapture(link);
  if (!capture) throw conflict('No capture runs on this link: start one with start_capture');
  return followCapture({
    path: capture.path,
    running: () => runningCapture(records.get('link', link.link_id))?.path === capture.path,
    flush: () => commands.flushCapture(capture),
    signal,
    pauseMs: limits.captureMs,
  });
};

const download = (api: Api): Route =>
  route('GET', `${LINK}/pcap`, {
    summary: 'Follow the capture file of a link until the capture stops',
    success: { code: 200, type: PCAP_TYPE, description: 'A pcap file that grows' },
    errors: [400, 404, 409],
    handler: ({ params, signal }) => ({
      stream: follow(api, api.find.link(params.project_id, params.link_id), signal),
      type: PCAP_TYPE,
    }),
  });

const packets = (api: Api): Route =>
  socketRoute(`${LINK}/packets`, {
    summary: 'Packets of a running capture as they come, decoded, until it stops',
    success: {
      code: 101,
      frames: packetMessage,
      description: 'A WebSocket: a JSON text a packet (docs/reference/feeds.md)',
    },
    errors: [400, 404, 409, 429],
    socket: async ({ params }) => {
      const link = api.find.link(params.project_id, params.link_id);
      const gone = new AbortController();
      const stream = follow(api, link, AbortSignal.any([gone.signal, api.closing]));
      const leaving = [() => gone.abort(), () => stream.destroy()];
      try {
        leaving.push(api.feeds.admit());
      } catch (error) {
        stream.destroy();
        throw error;
      }
      const backlog = await sizeOf(link.capture?.path);
      return {
        join: (socket) => {
          leaving.push(keepAlive(socket, api.limits.pingMs));
          void tellPackets(socket, { stream, backlog }, api.readCapture(), api.limits);
        },
        leave: () => {
          for (const leave of leaving.splice(0)) leave();
        },
      };
    },
  });

/** Octets of a file; of one that is not there yet none. */
const sizeOf = async (path = ''): Promise<number> => (await stat(path).catch(() => null))?.size ?? 0;

const runningCapture = (link: LinkRecord | undefined): LinkRecord['capture'] =>
  link && isCapturing(link) ? link.capture : null;
