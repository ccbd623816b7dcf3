import { z } from 'zod';

/** Nodes that are shown and moved together. An id of a node that is gone is kept: the node may be there again. */
export const nodeGroup = z.object({
  group_id: z.string(),
  name: z.string(),
  /** `#rrggbb` */
  color: z.string(),
  /** One symbol stands for all of its nodes. */
  collapsed: z.boolean(),
  nodes: z.array(z.string()),
});
export type NodeGroup = z.infer<typeof nodeGroup>;
