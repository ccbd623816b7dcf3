import { z } from 'zod';
import { filledLine, input, name, uuid, withoutNulls } from '../schema.ts';
import { projectSettingKeys } from './schema.ts';

/** Names that existing tools have for true and false in a query. */
export const yesNo = z
  .enum(['yes', 'no'], 'must be yes or no')
  .transform((word) => word === 'yes')
  .exactOptional();

export const exportQuery = z.object({
  include_snapshots: yesNo,
  include_images: yesNo,
  reset_mac_addresses: yesNo,
  keep_compute_ids: yesNo,
  revision: z
    .enum(['9', '10'], 'must be 9 (for GNS3 2.2) or 10 (GNS3 3.x)')
    .transform((number) => (number === '9' ? 9 : 10))
    .exactOptional()
    .meta({
      description: 'Of the project file; 9 leaves out what GNS3 2.2 refuses. Default: the one that the project has',
    }),
  compression: z.enum(['zip', 'none'], 'must be zip or none: bzip2 and lzma are not possible here').exactOptional(),
});

export const importQuery = z.object({ name: name.exactOptional(), path: filledLine.exactOptional() });

export const duplicateBody = input(
  { name: name.nullable(), path: filledLine.exactOptional(), reset_mac_addresses: z.boolean().exactOptional() },
  ['project_id', 'filename', 'status', ...projectSettingKeys],
  { before: (body) => withoutNulls(body, ['path']) },
);

export const snapshotCreate = z.strictObject({
  name,
  snapshot_id: uuid.exactOptional(),
  description: z.unknown().exactOptional().meta({ description: 'Ignored: the server says what it is' }),
});

export const snapshotRecord = z.strictObject({
  snapshot_id: z.string(),
  project_id: z.string(),
  name: z.string(),
  filename: z.string(),
  description: z.string(),
  created_at: z.int().meta({ description: 'Seconds since 1970, UTC' }),
});

export const projectFile = z.strictObject({ path: z.string(), md5sum: z.string() });
