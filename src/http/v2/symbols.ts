import { z } from 'zod';
import type { Api } from '../api.ts';
import { bytesOf } from '../server/request-body.ts';
import { HARMLESS } from '../server/security-headers.ts';
import { done, json, type Route, route } from '../routing/route.ts';

const SYMBOL = '/v2/symbols/{symbol_id}';

const symbolEntry = z.strictObject({
  symbol_id: z.string(),
  filename: z.string(),
  theme: z.string(),
  builtin: z.boolean(),
});
const dimensions = z.strictObject({ width: z.int(), height: z.int() });

export const symbolRoutes = (api: Api): Route[] => [
  route('GET', '/v2/symbols', {
    summary: 'Symbols that nodes can have',
    success: { code: 200, schema: z.array(symbolEntry) },
    handler: async () => json(await api.symbols.list()),
  }),
  route('GET', '/v2/default_symbols', {
    anyServer: true,
    summary: 'Symbols of each theme, by what they are for',
    success: { code: 200, schema: z.record(z.string(), z.record(z.string(), z.string())) },
    handler: () => json(api.symbols.defaults),
  }),
  route('GET', `${SYMBOL}/dimensions`, {
    summary: 'Size of a symbol in pixels',
    success: { code: 200, schema: dimensions },
    handler: async ({ params }) => {
      const { width, height } = await api.symbols.read(params.symbol_id);
      return json({ width, height });
    },
  }),
  route('GET', `${SYMBOL}/raw`, {
    summary: 'The picture of a symbol; the computer for one that is not there',
    success: { code: 200, type: 'image/*' },
    handler: async ({ params }) => {
      const image = await api.symbols.read(params.symbol_id);
      return { bytes: image.bytes, type: image.type, headers: HARMLESS };
    },
  }),
  route('POST', `${SYMBOL}/raw`, {
    summary: 'Store a picture (SVG, PNG, GIF or JPEG) under the last part of its name',
    upload: 'application/octet-stream',
    errors: [400, 408, 409, 413],
    handler: async (call) => {
      const bytes = await bytesOf(call.upload, api.bodyLimit);
      return done(api.commands.storeSymbol(call.caller, call.params.symbol_id, bytes));
    },
  }),
];
