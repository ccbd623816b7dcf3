import { z } from 'zod';
import { BOUNDS, boundedJson } from '../../common/json.ts';

/** Bytes of a message. */
export const MOST_BYTES = 32 << 10;
/** Messages of a listener in a second; of more it is cut. */
const MOST_MESSAGES = 200;
const SECOND_MS = 1000;

const place = z.number().min(-1e7).max(1e7);
const id = z.string().max(64);

/** What a listener shows to the others who look at the same project: all of it, each time. */
export const shown = z.strictObject({
  pointer: z.strictObject({ x: place, y: place }).nullable().meta({ description: 'On the map' }),
  selected: z.array(id).max(200),
  moving: z
    .array(z.strictObject({ id, x: place, y: place }))
    .max(200)
    .meta({ description: 'Where objects are dragged to at the moment' }),
  view: z
    .strictObject({ x: place, y: place, width: place.positive(), height: place.positive() })
    .nullable()
    .meta({ description: 'What is seen of the map' }),
  consoles: z.array(id).max(20).meta({ description: 'Nodes whose consoles are open, the one in front first' }),
  leads: z.boolean().meta({ description: 'Asks the others to follow' }),
});
export type Shown = z.output<typeof shown>;

/** Why a WebSocket of a listener is closed (RFC 6455, section 7.4.1); its reason has 123 octets at most. */
export interface Refusal {
  code: 1008 | 1009;
  reason: string;
}

/** Reads the messages of one listener. Answers what it shows, or why it is cut. */
export const createReader = (now: () => number = () => performance.now()): ((data: Buffer) => Shown | Refusal) => {
  let begun = 0;
  let count = 0;
  return (data) => {
    if (data.length > MOST_BYTES) return { code: 1009, reason: `a message has ${MOST_BYTES} octets at most` };
    const at = now();
    if (at - begun >= SECOND_MS) {
      begun = at;
      count = 0;
    }
    if (++count > MOST_MESSAGES) return { code: 1008, reason: `more than ${MOST_MESSAGES} messages in a second` };
    const read = shown.safeParse(parsed(data));
    if (read.success) return read.data;
    const [issue] = read.error.issues;
    const field = issue?.path.join('.') ?? '';
    return {
      code: 1008,
      reason: `${field === '' ? 'message' : field}: ${issue?.message ?? 'is not valid'}`.slice(0, 120),
    };
  };
};

export const isRefusal = (read: Shown | Refusal): read is Refusal => 'code' in read;

const parsed = (data: Buffer): unknown => {
  try {
    return boundedJson(data.toString('utf8'), BOUNDS.message);
  } catch {
    return undefined;
  }
};
