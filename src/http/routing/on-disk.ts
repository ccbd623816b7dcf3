import type { Api } from '../api.ts';
import type { Call, ParamTypes, Payload, PlainRoute } from './route.ts';

/** What a route's handler does; a refusal of a write is told by what is on disk. */
export const answered = (
  { commands }: Pick<Api, 'commands'>,
  route: PlainRoute,
  call: Call<ParamTypes, never, never>,
): Promise<Payload> | Payload =>
  route.method === 'GET' ? route.handler(call) : commands.attempt(call.caller, () => route.handler(call));
