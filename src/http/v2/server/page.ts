import type { Api } from '../../api.ts';
import { NOT_BUILT, PAGE_HEADERS } from '../../server/security-headers.ts';
import { type Route, route } from '../../routing/route.ts';

const ENTRY = '/static/web-ui/bundled';

/** The page of this server, or a web client that is served in its place. */
export const pageRoutes = (api: Api): Route[] => {
  if (api.pages !== undefined) return clientRoutes(api.pages);
  return api.page === undefined ? [] : ownRoutes(api.page);
};

const shown = { group: 'server', isPublic: true, isDocumented: false } as const;

/** The page itself is no secret; what it shows asks for a password like everything else. */
const ownRoutes = ({ root, files }: NonNullable<Api['page']>): Route[] => {
  const hasIndex = files.includes('index.html');
  return [
    route('GET', '/', {
      anyServer: true,
      ...shown,
      summary: 'The page of this server',
      success: { code: 200, type: 'text/html', description: 'Its entry' },
      handler: () =>
        hasIndex
          ? { page: 'index.html', root, headers: PAGE_HEADERS, forever: false }
          : { text: NOT_BUILT, type: 'text/plain; charset=utf-8' },
    }),
    ...files
      .filter((file) => file !== 'index.html')
      .map((file) =>
        route('GET', `/${file}`, {
          anyServer: true,
          ...shown,
          summary: 'A file of the page',
          success: { code: 200, type: 'application/octet-stream', description: 'Its bytes' },
          // Names of assets have a hash of their content.
          handler: () => ({ page: file, root, headers: PAGE_HEADERS, forever: file.startsWith('assets/') }),
        }),
      ),
  ];
};

/** A web client; the paths are those that it is compiled for. */
const clientRoutes = (pages: NonNullable<Api['pages']>): Route[] => [
  route('GET', '/', {
    anyServer: true,
    group: 'server',
    summary: 'To the web client',
    success: { code: 302, description: 'Its entry' },
    handler: () => ({ location: ENTRY }),
  }),
  route('GET', '/static/web-ui/{path}', {
    anyServer: true,
    group: 'server',
    summary: 'A file of the web client; its index for what is no file',
    success: { code: 200, type: 'text/html', description: 'Its bytes' },
    errors: [403, 404],
    handler: ({ params }) => pages.open(params.path),
  }),
];
