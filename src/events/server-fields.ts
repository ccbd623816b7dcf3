import { z } from 'zod';
import { content } from './fields.ts';

/** Shapes of records that belong to the server rather than to a project. */

const bag = z.record(z.string(), z.unknown());

/** A machine that runs nodes. Its password is in no event. */
export const computeFields = z.object({
  compute_id: z.string(),
  name: z.string(),
  protocol: z.enum(['http', 'https']),
  host: z.string(),
  port: z.int(),
  user: z.string().nullable(),
  /** PEM; the only certificate that is trusted. Absent: those that the system trusts. */
  certificate: z.string().exactOptional(),
});
export type ComputeFields = z.infer<typeof computeFields>;

/** Capabilities that a compute reports. `topolog`: its version where it is one. */
export const computeCapabilities = z.object({
  version: z.string(),
  topolog: z.string().nullable(),
  node_types: z.array(z.string()),
  platform: z.string(),
});
export type ComputeCapabilities = z.infer<typeof computeCapabilities>;

export const templateFields = z.object({
  template_id: z.string(),
  /** Neutral name of the kind. */
  kind: z.string(),
  name: z.string(),
  /** null: chosen for each node. */
  compute_id: z.string().nullable(),
  /** Name format of its nodes: `{0}` is a running number, `{name}` the template's name. */
  default_name_format: z.string(),
  symbol: z.string(),
  category: z.enum(['router', 'switch', 'guest', 'firewall']),
  /** Every other key of its record, as the kind defines them. */
  settings: bag,
  /** A built-in template that was changed. */
  builtin: z.boolean().exactOptional(),
});
export type TemplateFields = z.infer<typeof templateFields>;

/** The controller that uses this server as its compute. */
export const claim = z.object({
  controller_id: z.string(),
  name: z.string(),
  /** Grows with each start of the controller, so that requests of an earlier run are recognised. */
  epoch: z.int(),
});
export type Claim = z.infer<typeof claim>;

/** An operation that only one kind has. */
export const operated = z.object({
  kind: z.string(),
  operation: z.string(),
  project_id: z.string().nullable(),
  node_id: z.string().nullable(),
});

/** A file that was written through the interface. `path`: below the directory of its project or node. */
export const writtenFile = content.extend({
  path: z.string(),
  /** Id of the upload: decides after a crash whether it is to be finished. */
  upload: z.string(),
});
export type WrittenFile = z.infer<typeof writtenFile>;

/** A file below the data directory that is first written beside its place. `upload`: as in `writtenFile`. */
export const prepared = z.object({ file: z.string(), upload: z.string() });
