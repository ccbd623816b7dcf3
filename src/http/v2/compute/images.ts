import { z } from 'zod';
import type { Kind } from '../../../emulators/kit/contract.ts';
import type { Api } from '../../api.ts';
import { FILE_TYPE } from '../nodes/file-routes.ts';
import { done, json, type Route, route } from '../../routing/route.ts';
import { image } from '../computes/schema.ts';

/** Images of a kind that keeps some in a directory. */
export const imageRoutes = (api: Api, kind: Kind): Route[] =>
  kind.images === undefined ? [] : [list(api, kind), download(api, kind), upload(api, kind)];

const pathOf = (kind: Kind): string => `/v2/compute/${kind.name}/images`;

const list = ({ images }: Api, kind: Kind): Route =>
  route('GET', pathOf(kind), {
    summary: `Images for ${kind.name} nodes, with their MD5 sums`,
    success: { code: 200, schema: z.array(image) },
    handler: async () => json(await images.list(kind)),
  });

const download = ({ images }: Api, kind: Kind): Route =>
  route('GET', `${pathOf(kind)}/{filename}`, {
    summary: `Read an image for ${kind.name} nodes`,
    success: { code: 200, type: FILE_TYPE, description: 'Its bytes' },
    errors: [403, 404],
    handler: async ({ params }) => ({ stream: await images.open(kind, params.filename), type: FILE_TYPE }),
  });

const upload = ({ commands, limits }: Api, kind: Kind): Route =>
  route('POST', `${pathOf(kind)}/{filename}`, {
    summary: `Write an image for ${kind.name} nodes, as a whole`,
    upload: FILE_TYPE,
    errors: [400, 403, 404, 408, 409, 413, 507],
    handler: async (call) => {
      const file = { content: call.upload, length: call.uploadLength, limit: limits.imageBytes };
      return done(commands.writeImage(call.caller, kind.name, call.params.filename, file));
    },
  });
