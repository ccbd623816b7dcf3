import { z } from 'zod';
import { shown } from '../../feed/showing.ts';
import { verdict } from '../../../common/forms/check.ts';
import { drawingRecord } from '../drawings/schema.ts';
import { linkRecord } from '../links/schema.ts';
import { nodeRecord } from '../nodes/schema.ts';
import { projectRecord } from '../projects/schema.ts';
import { computeRecord } from '../server/schema.ts';
import { templateRecord } from '../templates/schema.ts';

const place = {
  position: z.int().meta({ description: 'Of the event in the log' }),
  more: z.int().exactOptional().meta({ description: 'How many frames of the same position follow' }),
};
const frame = <A extends string, E extends z.ZodType>(action: readonly A[], event: E) =>
  z.strictObject({ action: z.enum(action), event, ...place });

const plain = <N extends string>(noun: N) => [`${noun}.created`, `${noun}.updated`, `${noun}.deleted`] as const;

const pair = z.tuple([z.number(), z.number()]);
const listeners = z.strictObject({
  count: z.int(),
  listeners: z.array(
    z.strictObject({ id: z.int(), name: z.string(), address: z.string().nullable(), since: z.string() }),
  ),
  you: z.int().meta({ description: 'The id of who is told' }),
});
const progress = z.strictObject({
  project_id: z.string(),
  what: z.enum(['import', 'export', 'duplicate', 'upload']),
  done: z.int().meta({ description: 'Octets' }),
  of: z.int(),
  left: z.number().nullable().meta({ description: 'Seconds' }),
  ended: z.boolean(),
});
const traffic = z.strictObject({
  seconds: z.number().meta({ description: 'Between the two looks that this is of' }),
  links: z.array(
    z.strictObject({ link_id: z.string(), frames: pair, bytes: pair, dropped: pair, delayed: pair }).meta({
      description: 'A second’s worth, from the first end to the second and back; `delayed` wait at the moment',
    }),
  ),
});

const fileWritten = z.strictObject({
  node_id: z.string().nullable().meta({ description: 'Whose file it is; null: the project’s' }),
  path: z.string(),
  bytes: z.int(),
  sha256: z.string().meta({ description: 'Of its content, which is there as soon as it has this' }),
});

/** A frame of the feeds of the controller group: docs/reference/feeds.md. */
export const feedFrame = z.discriminatedUnion('action', [
  frame([...plain('project'), 'project.opened', 'project.closed'], projectRecord),
  frame(plain('node'), nodeRecord),
  frame(plain('link'), linkRecord),
  frame(['drawing.created', 'drawing.deleted'], drawingRecord),
  frame(['drawing.updated'], drawingRecord.partial({ svg: true })),
  frame(plain('template'), templateRecord),
  frame(plain('compute'), computeRecord),
  frame(['snapshot.restored'], z.strictObject({ project_id: z.string(), snapshot_id: z.string() })),
  frame(['run.begun', 'run.ended'], z.strictObject({ project_id: z.string(), at: z.string() })),
  frame(['check.met', 'check.broken'], verdict.extend({ at: z.string() })),
  frame(['weather.updated'], z.object({ project_id: z.string(), at: z.string() })),
  frame(['log.error', 'log.warning', 'log.info'], z.strictObject({ message: z.string() })),
  frame(['project.listeners'], listeners),
  frame(['listener.updated'], shown.extend({ id: z.int().meta({ description: 'Of the listener that shows it' }) })),
  frame(['link.traffic'], traffic),
  frame(['file.written'], fileWritten),
  frame(['project.progress'], progress),
  frame(['ping'], z.strictObject({ cpu_usage_percent: z.number(), memory_usage_percent: z.number() })),
  frame(['reload'], z.strictObject({ reason: z.string() })),
]);

/** A frame of the feed of the compute group: an event is the record of the node's kind. */
export const computeFrame = z.strictObject({
  action: z.string(),
  event: z.looseObject({}),
  ...place,
  project_id: z.string().nullable(),
});
