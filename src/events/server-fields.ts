import { z } from 'zod';
import { content } from './fields.ts';

/** Shapes of what belongs to the server rather than to a project. */

const bag = z.record(z.string(), z.unknown());

/** A machine that runs nodes, as it was added. Its password is in no event. */
export const computeFields = z.object({
  compute_id: z.string(),
  name: z.string(),
  protocol: z.enum(['http', 'https']),
  host: z.string(),
  port: z.int(),
  user: z.string().nullable(),
  /** PEM; it alone is trusted. Absent: what the system trusts. */
  certificate: z.string().exactOptional(),
});
export type ComputeFields = z.infer<typeof computeFields>;

/** What a compute says of itself. `topolog`: its version where it is one. */
export const computeCapabilities = z.object({
  version: z.string(),
  topolog: z.string().nullable(),
  node_types: z.array(z.string()),
  platform: z.string(),
});
export type ComputeCapabilities = z.infer<typeof computeCapabilities>;

export const templateFields = z.object({
  template_id: z.string(),
  /** Neutral token of the kind. */
  kind: z.string(),
  name: z.string(),
  /** null: the node that is made of it says where. */
  compute_id: z.string().nullable(),
  /** Name of its nodes: `{0}` is a running number, `{name}` the template's name. */
  default_name_format: z.string(),
  symbol: z.string(),
  category: z.enum(['router', 'switch', 'guest', 'firewall']),
  /** Every other key of its record; the kind knows them. */
  settings: bag,
  /** One that every server has, from its first change on. */
  builtin: z.boolean().exactOptional(),
});
export type TemplateFields = z.infer<typeof templateFields>;

/** Another server that has this one as its compute. */
export const claim = z.object({
  controller_id: z.string(),
  name: z.string(),
  /** Grows with each start of the controller: what an earlier run of it still asks is told by it. */
  epoch: z.int(),
});
export type Claim = z.infer<typeof claim>;

/** Something that only a kind can do. */
export const operated = z.object({
  kind: z.string(),
  operation: z.string(),
  project_id: z.string().nullable(),
  node_id: z.string().nullable(),
});

/** A file as it was written through the interface. `path`: below the directory of its project or node. */
export const writtenFile = content.extend({
  path: z.string(),
  /** Which upload this is: tells after a crash whether it is to be finished. */
  upload: z.string(),
});
export type WrittenFile = z.infer<typeof writtenFile>;

/** A file below the data directory that is written beside its place first. `upload`: as above. */
export const prepared = z.object({ file: z.string(), upload: z.string() });
