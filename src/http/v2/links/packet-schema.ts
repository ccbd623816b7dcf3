import { z } from 'zod';

/** A packet in one line. */
export const packet = z.strictObject({
  number: z.int().meta({ description: 'In the capture, from 1 on' }),
  time: z.number().meta({ description: 'Seconds since 1970, to the microsecond' }),
  source: z.string(),
  destination: z.string(),
  protocol: z.string(),
  length: z.int().meta({ description: 'Octets on the link' }),
  summary: z.string(),
});

/** A message of the WebSocket of a capture's packets: docs/reference/feeds.md. */
export const packetMessage = z.union([
  packet,
  z.strictObject({ skipped: z.int().meta({ description: 'Packets that are not told in this place' }) }),
]);
