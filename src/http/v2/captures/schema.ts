import { z } from 'zod';
import { packet } from '../links/packet-schema.ts';
import { line } from '../../../model/types.ts';

/** Packets of an answer. */
export const MOST_PACKETS = 1_000;

const digits = (minimum: number, maximum: number) =>
  z
    .string()
    .regex(/^\d{1,10}$/, 'must be digits only')
    .transform(Number)
    .pipe(z.int().min(minimum).max(maximum));

/** docs/reference/packets.md. */
const filter = line.exactOptional();
const decodedBy = z.enum(['topolog', 'tshark']);

export const pageQuery = z.object({
  filter,
  from: digits(0, 4_294_967_295).exactOptional(),
  count: digits(0, MOST_PACKETS).exactOptional(),
});
export const conversationsQuery = z.object({
  filter,
  layer: z.enum(['ethernet', 'ip', 'transport']).exactOptional(),
});
export const packetQuery = z.object({ decoder: decodedBy.exactOptional() });
export const searchQuery = z.object({ filter, count: digits(0, MOST_PACKETS).exactOptional() });

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
