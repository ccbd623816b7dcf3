import { z } from 'zod';
import { MOST_ITEMS } from '../../../common/bounds.ts';
import { withTexts } from '../../../common/forms/property-text.ts';
import { requestShape, answerShape } from '../../../model/derive.ts';
import { LINK, LINK_TEXTS } from '../../../model/link.ts';
import { uuid } from '../../../model/types.ts';
import { input, label, labelRecord } from '../schema.ts';

const portNumber = z.int().nonnegative();

const changes = requestShape(LINK, LINK_TEXTS);
const READ_ONLY = [
  'project_id',
  'link_type',
  'capturing',
  'capture_file_name',
  'capture_file_path',
  'capture_compute_id',
  'unproved',
] as const;

export const linkCreate = input(
  {
    link_id: uuid.exactOptional(),
    nodes: z
      .array(
        z.strictObject({
          node_id: uuid,
          adapter_number: portNumber,
          port_number: portNumber,
          label: label.exactOptional(),
        }),
      )
      .length(2, 'must have exactly 2 items, the two ends'),
    ...changes,
  },
  READ_ONLY,
);

/** Ends stay where they are: only their labels can change. */
export const linkUpdate = input(
  {
    ...withTexts(
      {
        nodes: z
          .array(input({ node_id: uuid, label: label.exactOptional() }, ['adapter_number', 'port_number']))
          .max(MOST_ITEMS)
          .exactOptional(),
      },
      LINK_TEXTS,
    ),
    ...changes,
  },
  [...READ_ONLY, 'link_id'],
);

export const linkRecord = z.strictObject(
  withTexts(
    {
      link_id: z.string(),
      project_id: z.string(),
      link_type: z.enum(['ethernet', 'serial']),
      nodes: z.array(
        z.strictObject({ node_id: z.string(), adapter_number: z.int(), port_number: z.int(), label: labelRecord }),
      ),
      ...answerShape(LINK),
      capturing: z.boolean(),
      capture_file_name: z.string().nullable(),
      capture_file_path: z.string().nullable(),
      capture_compute_id: z.string().nullable(),
      // Absent: nothing speaks against it. Existing tools fail on a key that they do not know.
      unproved: z.string().exactOptional(),
    },
    LINK_TEXTS,
  ),
);

export const filterDescription = z.strictObject({
  type: z.string(),
  name: z.string(),
  description: z.string(),
  parameters: z.array(
    z.strictObject({
      name: z.string(),
      type: z.enum(['int', 'text']),
      minimum: z.int().optional(),
      maximum: z.int().optional(),
      unit: z.string().optional(),
    }),
  ),
});

const count = z.int();

/** Since the link was made in the fabric. */
const directionCounts = z.strictObject({
  frames: count.meta({ description: 'That arrived' }),
  bytes: count,
  dropped: count.meta({ description: 'That did not arrive' }),
  delayed: count.meta({ description: 'That wait for their delay at the moment' }),
  reasons: z.record(z.string(), count).meta({
    description:
      'Frames by what happened to them: types of filters (`corrupt` and `delay` drop none), `suspended`, `queue_full`',
  }),
});

export const linkTraffic = z.strictObject({
  link_id: z.string(),
  directions: z
    .tuple([directionCounts, directionCounts])
    .meta({ description: 'From the first end to the second, and back' }),
});
