import { z } from 'zod';
import type { LinkRecord } from '../../../projections/records.ts';
import type { Api } from '../../api.ts';
import { json, type Route, route } from '../../routing/route.ts';
import { isCapturing } from '../links/json.ts';
import { packet } from './packet-feed.ts';
import { digits } from '../schema.ts';
import { line } from '../../../model/types.ts';

/** Packets of an answer. */
const MOST_PACKETS = 1_000;

/** docs/reference/packets.md. */
const filter = line.exactOptional();
const decodedBy = z.enum(['topolog', 'tshark']);

const pageQuery = z.object({
  filter,
  from: digits(10, 0, 4_294_967_295).exactOptional(),
  count: digits(10, 0, MOST_PACKETS).exactOptional(),
});
const conversationsQuery = z.object({
  filter,
  layer: z.enum(['ethernet', 'ip', 'transport']).exactOptional(),
});
const packetQuery = z.object({ decoder: decodedBy.exactOptional() });
const searchQuery = z.object({ filter, count: digits(10, 0, MOST_PACKETS).exactOptional() });

const linkId = z.string().nullable().meta({ description: 'The link whose capture it is; null: none any more' });

export const captureRecord = z.strictObject({
  file_name: z.string(),
  link_id: linkId,
  capturing: z.boolean(),
  bytes: z.int(),
  modified_at: z.string().meta({ format: 'date-time' }),
});

const progress = {
  total: z.int().meta({ description: 'Packets that were found in the file up to now' }),
  scanned: z.int().meta({ description: 'Of these were looked at' }),
  complete: z.boolean().meta({ description: 'All of the file was looked at; otherwise ask again' }),
  decoded_by: decodedBy,
};

export const packetPage = z.strictObject({
  ...progress,
  found: z.int().meta({ description: 'Packets that the filter lets through' }),
  packets: z.array(packet),
});

export const packetField = z.strictObject({
  name: z.string().meta({ description: 'As a filter calls it' }),
  label: z.string(),
  text: z.string(),
  at: z.int().meta({ description: 'Octet of the frame where it begins' }),
  length: z.int(),
  get fields() {
    return z.array(packetField);
  },
});

export const decodedPacket = z.strictObject({
  ...packet.shape,
  decoded_by: decodedBy,
  decoders: z.array(decodedBy).meta({ description: 'Who could decode it here' }),
  bytes: z.string().meta({ description: 'Base64' }),
  fields: z.array(packetField),
  conversation: z.string().nullable().meta({ description: 'Filter of what its ends say to each other' }),
  followed: z.boolean().meta({ description: 'It is of a conversation that can be followed' }),
});

const end = z.strictObject({ address: z.string(), port: z.int().nullable() });
const ends = z.tuple([end, end]);
const both = z.tuple([z.int(), z.int()]).meta({ description: 'From the first end to the second, and back' });
const time = z.number().meta({ description: 'Seconds since 1970' });

export const conversationPage = z.strictObject({
  ...progress,
  conversations: z.array(
    z.strictObject({
      protocol: z.string(),
      ends,
      frames: both,
      octets: both,
      first: time,
      last: time,
      filter: z.string(),
    }),
  ),
  more: z.int().meta({ description: 'Packets of conversations that are too many to be kept' }),
});

export const followed = z.strictObject({
  ...progress,
  filter: z.string(),
  ends,
  parts: z.array(
    z.strictObject({
      number: z.int(),
      time,
      end: z.int().meta({ description: '0: the first end says it, 1: the second' }),
      bytes: z.string().meta({ description: 'Base64' }),
    }),
  ),
  cut: z.boolean().meta({ description: 'There is more than this' }),
});

const met = { file_name: z.string(), link_id: linkId };

export const journey = z.array(z.strictObject({ ...met, number: z.int(), time }));

export const packetSearch = z.strictObject({
  ...progress,
  found: z.int(),
  captures: z.int().meta({ description: 'Capture files that were looked at' }),
  packets: z.array(z.strictObject({ ...met, ...packet.shape })),
});

const CAPTURES = '/v2/projects/{project_id}/captures';
const CAPTURE = `${CAPTURES}/{capture_name}` as const;
const PACKET = `${CAPTURE}/packets/{packet_number}` as const;
const PAGE = 200;

/** Packets of capture files, running or not; docs/reference/packets.md. */
export const captureRoutes = (api: Api): Route[] => [...lists(api), ...packets(api), ...others(api)];

const at = (api: Api, projectId: string, name: string) => ({ projectPath: api.find.project(projectId).path, name });

/** Links by file name: the one that captured into the file last. */
const linksOf = ({ records }: Api, projectId: string): ReadonlyMap<string, LinkRecord> =>
  new Map(
    records
      .ofProject('link', projectId)
      .toSorted((a, b) => Number(isCapturing(a)) - Number(isCapturing(b)))
      .flatMap((link) => (link.capture === null ? [] : [[link.capture.file_name, link]])),
  );

const lists = (api: Api): Route[] => [
  route('GET', CAPTURES, {
    summary: 'Capture files of a project, the newest first',
    success: { code: 200, schema: z.array(captureRecord) },
    errors: [400, 404],
    handler: async ({ params: { project_id } }) => {
      const links = linksOf(api, project_id);
      const files = await api.captures.list(api.find.project(project_id).path);
      return json(
        files.map(({ file_name, bytes, modified_at }) => {
          const link = links.get(file_name);
          const capturing = link !== undefined && isCapturing(link);
          return { file_name, link_id: link?.link_id ?? null, capturing, bytes, modified_at };
        }),
      );
    },
  }),
  route('GET', '/v2/projects/{project_id}/packets', {
    summary: 'Packets of all capture files of a project that a filter lets through, in order of time',
    query: searchQuery,
    success: { code: 200, schema: packetSearch },
    errors: [400, 404],
    handler: async ({ params: { project_id }, query: { filter = '', count = PAGE } }) => {
      const { path: projectPath } = api.find.project(project_id);
      const links = linksOf(api, project_id);
      const { packets: found, ...rest } = await api.captures.search(projectPath, { filter, count });
      const told = found.map(({ capture, ...packet }) => {
        return { file_name: capture, link_id: links.get(capture)?.link_id ?? null, ...packet };
      });
      return json({ ...rest, packets: told });
    },
  }),
];

const packets = (api: Api): Route[] => [
  route('GET', `${CAPTURE}/packets`, {
    summary: `Packets of a capture file, page by page; at most ${MOST_PACKETS} at once`,
    query: pageQuery,
    success: { code: 200, schema: packetPage },
    errors: [400, 404],
    handler: async ({ params: { project_id, capture_name }, query: { filter = '', from = 0, count = PAGE } }) =>
      json(await api.captures.page(at(api, project_id, capture_name), { filter, from, count })),
  }),
  route('GET', PACKET, {
    summary: 'A packet as a tree of fields, with its octets',
    query: packetQuery,
    success: { code: 200, schema: decodedPacket },
    errors: [400, 404, 409],
    handler: async ({ params: { project_id, capture_name, packet_number }, query: { decoder } }) =>
      json(await api.captures.packet(at(api, project_id, capture_name), packet_number, decoder)),
  }),
  route('GET', `${PACKET}/conversation`, {
    summary: 'What both ends of a packet’s conversation say, in order',
    success: { code: 200, schema: followed },
    errors: [400, 404],
    handler: async ({ params: { project_id, capture_name, packet_number } }) => {
      const { parts, ...rest } = await api.captures.follow(at(api, project_id, capture_name), packet_number);
      const told = parts.map((part) => ({ ...part, bytes: Buffer.from(part.bytes).toString('base64') }));
      return json({ ...rest, parts: told });
    },
  }),
];

const others = (api: Api): Route[] => [
  route('GET', `${CAPTURE}/conversations`, {
    summary: 'Who speaks with whom in a capture file, and how much',
    query: conversationsQuery,
    success: { code: 200, schema: conversationPage },
    errors: [400, 404],
    handler: async ({ params: { project_id, capture_name }, query: { filter = '', layer = 'transport' } }) =>
      json(await api.captures.conversations(at(api, project_id, capture_name), { filter, layer })),
  }),
  route('GET', `${PACKET}/journey`, {
    summary: 'On which captured links a packet was met, in order of time',
    success: { code: 200, schema: journey },
    errors: [400, 404],
    handler: async ({ params: { project_id, capture_name, packet_number } }) => {
      const here = at(api, project_id, capture_name);
      const links = linksOf(api, project_id);
      const all = [...links.keys()].map((name) => ({ ...here, name }));
      const met = await api.captures.journey(here, packet_number, all);
      return json(
        met.map(({ at: { name }, frame: { number, time } }) => {
          return { file_name: name, link_id: links.get(name)?.link_id ?? null, number, time };
        }),
      );
    },
  }),
];
