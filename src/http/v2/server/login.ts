import { z } from 'zod';
import { TopologError } from '../../../common/errors.ts';
import type { Api } from '../../api.ts';
import { type Payload, type Route, route } from '../../routing/route.ts';
import { anyObject } from '../schema.ts';

export const loginState = z.strictObject({
  asked: z.boolean().meta({ description: 'Whether this server asks for a password' }),
  user: z.string().nullable().meta({ description: 'Whom it knows by this request; null: nobody' }),
});

const PATH = '/v2/login';

/** How a page logs in: once with the password, from then on by a cookie, which pictures, downloads and WebSockets bring along. */
export const loginRoutes = (api: Api): Route[] => {
  const asked = (): boolean => api.access?.users?.areAsked() === true;
  const state = (user: string | null, cookie?: string): Payload => ({
    json: JSON.stringify({ asked: asked(), user }),
    headers: cookie === undefined ? {} : { 'Set-Cookie': cookie },
  });
  const known = (principal: string): string | null => (principal === 'anonymous' ? null : principal);
  return [
    route('GET', PATH, {
      anyServer: true,
      group: 'server',
      summary: 'Whether a password is asked for, and whom the server knows by this request; for everybody',
      isPublic: true,
      success: { code: 200, schema: loginState },
      handler: ({ caller }) => state(known(caller.by.principal)),
    }),
    route('POST', PATH, {
      anyServer: true,
      group: 'server',
      summary: 'With HTTP Basic: a cookie in its place until the browser is closed, for 7 days at most',
      body: anyObject,
      success: { code: 200, schema: loginState },
      handler: ({ caller: { by } }) => {
        if (!asked()) return state(known(by.principal));
        const cookie = api.access?.tickets?.issue(by.principal);
        // Gone since the password was looked at.
        if (cookie === undefined) throw new TopologError('unauthorized');
        return state(by.principal, cookie);
      },
    }),
    route('DELETE', PATH, {
      anyServer: true,
      group: 'server',
      summary: 'Takes that cookie away; for everybody',
      isPublic: true,
      success: { code: 200, schema: loginState },
      errors: [400],
      handler: () => state(null, api.access?.tickets?.revoke()),
    }),
  ];
};
