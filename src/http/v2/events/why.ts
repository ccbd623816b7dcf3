import { z } from 'zod';
import { MOST_PING_DATA } from '../../../common/bounds.ts';
import { OBSTACLE_CODES } from '../../../common/forms/obstacles.ts';
import type { Api } from '../../api.ts';
import { json, type Route, route } from '../../routing/route.ts';
import { filledLine, digits } from '../schema.ts';

const whyQuery = z.object({
  from: filledLine.meta({ title: 'From', description: 'The node that sends: its name or id.' }),
  to: filledLine.meta({ title: 'To', description: 'The node that is to be reached, by name or id, or an address.' }),
  at: filledLine.exactOptional().meta({ title: 'At', description: 'A position or an ISO time; absent: now.' }),
  size: digits(5, 0, MOST_PING_DATA)
    .exactOptional()
    .meta({ title: 'Size', description: 'Octets of data in the ping that is followed; absent: 56.' }),
  port: filledLine
    .exactOptional()
    .meta({ title: 'Port', description: 'Port that is asked for in place of a ping: 80, tcp/80 or udp/53.' }),
});

const obstacle = {
  code: z.enum(OBSTACLE_CODES),
  key: z.string().meta({ description: 'The same for as long as it is there' }),
  sentence: z.string().meta({ description: 'What is the matter, without a full stop' }),
  node_id: z.string().optional(),
  link_id: z.string().optional(),
  maybe: z.literal(true).optional().meta({ description: 'The packet may pass nonetheless' }),
};

const since = z
  .strictObject({
    position: z.int(),
    at: z.string(),
    type: z.string(),
    by: z.string().meta({ description: 'Who asked for it; `system` where nobody did' }),
    sentence: z.string(),
  })
  .nullable()
  .meta({ description: 'The event that made it so; null: the log does not have it' });

const hop = z.strictObject({
  node_id: z.string(),
  name: z.string(),
  link_id: z.string().nullable().meta({ description: 'The link by which it comes here; null at the beginning' }),
  in: z.string().nullable().meta({ description: 'Name of the port by which it comes' }),
  out: z.string().nullable().meta({ description: 'Name of the port by which it goes on; null where it ends' }),
  vlan: z.int().nullable(),
  unknown: z.boolean().meta({ description: 'What the node does with packets is not known: a real system' }),
});

const way = z.strictObject({
  hops: z.array(hop),
  obstacles: z.array(z.strictObject(obstacle)),
  notes: z.array(z.string()),
});

export const whyAnswer = z.strictObject({
  from: z.string(),
  to: z.string(),
  position: z.int().meta({ description: 'Last position that is looked at' }),
  reaches: z.boolean().nullable().meta({ description: 'null: it is not known' }),
  sentence: z.string().meta({ description: 'The answer in words' }),
  obstacle: z
    .strictObject({ ...obstacle, since })
    .nullable()
    .meta({ description: 'Where it ends; null: nowhere' }),
  request: way.meta({ description: 'There' }),
  reply: way.meta({ description: 'And back' }),
  notes: z.array(z.string()),
  settled_by: z.array(z.string()).meta({ description: 'How to find out, where it is not known' }),
  tried: z
    .strictObject({ reaches: z.boolean().nullable(), text: z.string() })
    .optional()
    .meta({ description: 'What became of a ping that was sent; null: nobody can say' }),
});

const { from, to } = whyQuery.shape;
const tryInput = z.strictObject({
  from,
  to,
  size: z
    .int()
    .min(0)
    .max(MOST_PING_DATA)
    .exactOptional()
    .meta({ title: 'Size', description: 'Octets of data in the ping that is sent; absent: 56.' }),
});

/** Follows a packet through the lab as the server knows it, now or at a moment of the past; sends one where it is asked to. */
export const whyRoutes = (api: Api): Route[] => [
  route('GET', '/v2/projects/{project_id}/why', {
    anyServer: true,
    summary: 'Why a node does not reach another: where the packet ends, and the event that made it so',
    query: whyQuery,
    success: { code: 200, schema: whyAnswer },
    errors: [400, 404],
    handler: async ({ params: { project_id }, query }) => json(await api.why(project_id, query)),
  }),
  route('POST', '/v2/projects/{project_id}/why', {
    summary: 'The same, after a ping that the node really sends, by itself or at its console',
    body: tryInput,
    success: { code: 200, schema: whyAnswer },
    errors: [400, 404, 409],
    handler: async ({ params: { project_id }, body }) => {
      const found = await api.commands.tryReach(project_id, body);
      return json(await api.why(project_id, body, found));
    },
  }),
];
