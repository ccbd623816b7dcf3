import type { Api } from '../api.ts';
import { type Route, route } from '../route.ts';

const ENTRY = '/static/web-ui/bundled';

/** The web client, where the server was given one; the paths are those that it is compiled for. */
export const pageRoutes = ({ pages }: Api): Route[] =>
  pages === undefined
    ? []
    : [
        route({
          group: 'server',
          method: 'GET',
          path: '/',
          summary: 'To the web client',
          success: { code: 302, description: 'Its entry' },
          errors: [],
          handler: () => ({ location: ENTRY }),
        }),
        route({
          group: 'server',
          params: ['path'],
          method: 'GET',
          path: '/static/web-ui/{path}',
          summary: 'A file of the web client; its index for what is no file',
          success: { code: 200, type: 'text/html', description: 'Its bytes' },
          errors: [403, 404],
          handler: ({ params }) => pages.open(params.path),
        }),
      ];
