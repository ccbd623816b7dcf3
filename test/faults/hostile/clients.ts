import { head, rawClient, type RawClient } from '../../api/raw-client.ts';
import { headersOf } from '../../fuzz/headers.ts';
import { type Attack, count, type Figures, send } from './attack.ts';

/** Connections that say half of something and wait. */
const SLOW = 200;
const USERS = ['system', 'anonymous', 'ada', 'a\u0085b', 'x'.repeat(300), '../x', 'a b', '%0a', '#', 'root'];

/** Headers, cookies, origins, names of users, connections that never end what they began. */
export const clients = async (attack: Attack): Promise<Figures> => {
  const { random, server, lab, operations } = attack;
  const figures: Figures = { requests: 0, connections: 0 };
  const slow: RawClient[] = [];
  const reads = operations.filter(
    ({ method, path }) => method === 'GET' && !/\{(?!project_id)|feed|notifications|wait|ws$/.test(path),
  );
  while (!attack.isOver()) {
    if (slow.length < SLOW) {
      const client = await rawClient(server.url, false).catch(() => undefined);
      if (client !== undefined) slow.push(client);
      client?.write(
        random.pick([
          'G',
          'GET /v2/version HTTP/1.1\r\nHost: x\r\nX: ',
          head('POST /v2/projects', { 'Content-Length': 1000 }) + '{"name"',
          '',
        ]) ?? '',
      );
      figures['connections'] = slow.length;
    }
    const operation = random.pick(reads);
    if (operation === undefined) break;
    const url = operation.path.replace('{project_id}', lab.project_id);
    const user = random.pick(USERS) ?? '';
    const headers = { ...headersOf(random, operation), 'x-topolog-user': Buffer.from(user).toString('latin1') };
    const cookie = {
      cookie:
        random.pick([
          'topolog=x',
          `topolog=${'A'.repeat(8_000)}`,
          'topolog=system.9999999999999.AAAA',
          '=;;=',
          'a=\u0001',
        ]) ?? '',
    };
    const reply = await send(attack, 'GET', url, null, { ...headers, ...(random.below(3) === 0 ? cookie : {}) }).catch(
      () => 'cut' as const,
    );
    figures['requests'] = (figures['requests'] ?? 0) + 1;
    count(figures, reply);
    if (random.below(20) === 0) await asSystem(attack);
  }
  for (const client of slow) client.vanish();
  return figures;
};

/** Nobody signs as the server itself. */
const asSystem = async (attack: Attack): Promise<void> => {
  const { lab, client } = attack;
  const id = `x-${String(attack.random.below(1e9))}`;
  const headers = { 'x-topolog-user': 'system', 'x-request-id': id };
  const reply = await send(attack, 'POST', `/v2/projects/${lab.project_id}/drawings`, Buffer.from('{"x": 1}'), headers);
  if (typeof reply === 'string' || reply.status >= 300) return;
  const request = String(reply.headers['x-request-id']);
  const page = (await client.get(`/v2/projects/${lab.project_id}/events?request=${request}`)) as {
    events: { by: { principal: string } }[];
  };
  if (page.events.some(({ by }) => by.principal === 'system'))
    attack.blame('a client wrote as `system` (X-Topolog-User)');
};
