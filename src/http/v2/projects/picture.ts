import { z } from 'zod';
import { inSlices } from '../../../common/slices.ts';
import { drawPicture, sceneOf, stampOf, type SymbolPicture, symbolOf } from '../../../picture/picture.ts';
import type { Api } from '../../api.ts';
import { createLookups } from '../../lookups.ts';
import { type Route, route } from '../../routing/route.ts';
import { HARMLESS_PICTURE } from '../../server/security-headers.ts';
import { filledLine } from '../schema.ts';

const query = z.object({ at: filledLine.exactOptional(), size: z.enum(['full', 'thumbnail']).exactOptional() });

export const pictureRoutes = (api: Api): Route[] => [
  route('GET', '/v2/projects/{project_id}/picture.svg', {
    anyServer: true,
    summary: 'The lab as one SVG that needs nothing else: its nodes, links and drawings',
    query,
    success: { code: 200, type: 'image/svg+xml' },
    errors: [400, 404],
    handler: async ({ params: { project_id }, query: { at, size = 'full' } }) => {
      const records = at === undefined ? api.records : await api.past.at(project_id, at);
      const scene = sceneOf(records, createLookups(records).project(project_id));
      const symbols = await symbolsOf(api, new Set(scene.nodes.map(symbolOf)));
      const octets = [...symbols.values()].reduce((sum, { bytes }) => sum + bytes.length, 0);
      return {
        text: await inSlices(drawPicture(scene, { symbols, isThumbnail: size === 'thumbnail' })),
        type: 'image/svg+xml',
        etag: `"${stampOf(scene)}-${octets}-${size}"`,
        headers: HARMLESS_PICTURE,
      };
    },
  }),
];

const symbolsOf = async ({ symbols }: Api, ids: ReadonlySet<string>): Promise<ReadonlyMap<string, SymbolPicture>> => {
  const found = new Map<string, SymbolPicture>();
  for (const id of ids) found.set(id, await symbols.read(id));
  return found;
};
