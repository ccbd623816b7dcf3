import type { FastifyInstance } from 'fastify';
import { isUserName } from '../access/users.ts';

/** Asks the facade without a socket, as `user` from this machine; null: as nobody in particular. `token`: of the server's own tools. */
export const injector =
  (app: FastifyInstance, agent: string, user: string | null, token: string) =>
  async (
    method: string,
    url: string,
    body: object | null,
    requestId: string,
  ): Promise<{ status: number; body: unknown }> => {
    const answer = await app.inject({
      method: method as 'GET',
      url,
      headers: {
        authorization: `Bearer ${token}`,
        'user-agent': agent,
        'x-request-id': requestId,
        ...(user === null || !isUserName(user) ? {} : { 'x-topolog-user': user }),
      },
      ...(body === null ? {} : { payload: JSON.stringify(body) }),
    });
    const text = answer.body;
    return { status: answer.statusCode, body: text === '' ? null : JSON.parse(text) };
  };
