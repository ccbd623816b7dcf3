import type { Api } from '../api.ts';
import type { Call, ParamTypes, Payload, PlainRoute } from './route.ts';

/**
 * What a route's handler does. A write that is refused was decided on what others have just changed as well: it hears of that only once
 * that is on disk, and of the log's failure if it cannot be.
 */
export const answered = (
  { commands }: Pick<Api, 'commands'>,
  route: PlainRoute,
  call: Call<ParamTypes, never, never>,
): Promise<Payload> | Payload => {
  if (route.method === 'GET') return route.handler(call);
  return Promise.resolve()
    .then(() => route.handler(call))
    .catch(async (error: unknown) => {
      await commands.settled();
      throw error;
    });
};
