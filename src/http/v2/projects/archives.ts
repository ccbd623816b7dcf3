import { z } from 'zod';
import { TopologError } from '../../../common/errors.ts';
import { name } from '../../../model/types.ts';
import type { Api } from '../../api.ts';
import { jsonText, type Route, route } from '../../routing/route.ts';
import { filledLine, input, dropNulls } from '../schema.ts';
import { projectRecord, projectSettingKeys } from './projects.ts';

/** Names that existing tools have for true and false in a query. */
export const yesNo = z
  .enum(['yes', 'no'], 'must be yes or no')
  .transform((word) => word === 'yes')
  .exactOptional();

const exportQuery = z.object({
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

const importQuery = z.object({ name: name.exactOptional(), path: filledLine.exactOptional() });

const duplicateBody = input(
  { name: name.nullable(), path: filledLine.exactOptional(), reset_mac_addresses: z.boolean().exactOptional() },
  ['project_id', 'filename', 'status', ...projectSettingKeys],
  { before: (body) => dropNulls(body, ['path']) },
);

const ONE = '/v2/projects/{project_id}';
const ARCHIVE_TYPE = 'application/gns3project';

/** Whole projects: copies of them, and portable archives. */
export const archiveRoutes = (api: Api): Route[] => [duplicate(api), download(api), upload(api)];

/** Only who owns the machine says where files go. */
const checkPlace = ({ local }: Api, path: string | undefined): void => {
  if (path !== undefined && !local) throw new TopologError('not_local');
};

const duplicate = (api: Api): Route =>
  route('POST', `${ONE}/duplicate`, {
    summary: 'A new, closed project with everything that this one has, files included',
    body: duplicateBody,
    success: { code: 201, schema: projectRecord },
    errors: [400, 403, 404, 409],
    handler: async ({ caller, params, body }) => {
      checkPlace(api, body.path);
      return jsonText(api.json.project(await api.commands.duplicateProject(caller, params.project_id, body)));
    },
  });

/** A header has ASCII alone (RFC 9110, 5.5), and clients a bound for all of them. */
const headerText = (text: string): string => text.replace(/[^ -~]/g, '?').slice(0, 2000);

const download = ({ commands }: Api): Route =>
  route('GET', `${ONE}/export`, {
    summary: 'The project as a portable archive',
    query: exportQuery,
    success: { code: 200, type: ARCHIVE_TYPE, description: 'A zip file' },
    errors: [400, 404, 409],
    handler: async ({ params, query: { compression, ...options } }) => {
      const compress = compression !== 'none';
      const { name, content, leftOut } = await commands.exportProject(params.project_id, { ...options, compress });
      const headers = leftOut.length === 0 ? {} : { 'X-Topolog-Left-Out': headerText(leftOut.join('; ')) };
      return { stream: content, type: ARCHIVE_TYPE, file: `${name}.gns3project`, headers };
    },
  });

const upload = (api: Api): Route =>
  route('POST', `${ONE}/import`, {
    summary: 'A new, closed project of a portable archive, raw or as the field `file` of a form',
    query: importQuery,
    upload: ARCHIVE_TYPE,
    success: { code: 201, schema: projectRecord },
    errors: [400, 403, 408, 409, 413, 507],
    handler: async (call) => {
      const { caller, params, query } = call;
      checkPlace(api, query.path);
      const archive = { content: call.upload, length: call.uploadLength, limit: api.limits.archiveBytes };
      const input = { ...query, auto_close: api.gns3Compat };
      return jsonText(api.json.project(await api.commands.importProject(caller, params.project_id, input, archive)));
    },
  });
