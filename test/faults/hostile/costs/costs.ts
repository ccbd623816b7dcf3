import { Client } from '../../../fuzz/client.ts';
import { type Attack, count, type Figures, send } from '../attack.ts';
import { AT_ONCE, COSTS, EVENTS, type Labs, ROW, rowText, times } from './list.ts';

/** What is costly may take its time; it may not hold up others. */
const PATIENCE_MS = 300_000;

/** Everything whose cost a caller can choose, each as costly as it can be made. */
export const costs = async (given: Attack): Promise<Figures> => {
  const figures: Figures = {};
  const client = new Client(given.server.url, 16, PATIENCE_MS);
  const attack = { ...given, client };
  const answered = async (...asked: [string, string, (Buffer | null)?, Record<string, string>?]): Promise<string> => {
    const [method, url, body = null, headers] = asked;
    const reply = await send(attack, method, url, body, headers);
    count(figures, reply);
    if (typeof reply !== 'string' && reply.status < 300) return reply.text;
    throw new Error(`${method} ${url}: ${JSON.stringify(reply).slice(0, 500)}`);
  };
  const ask: Labs['ask'] = (method, url, body, headers) =>
    answered(method, url, body === undefined ? null : bytesOf(body), headers);
  const only = new RegExp(process.env['TOPOLOG_HOSTILE_COSTS'] ?? '');
  const labs = await labsOf(attack, ask);
  const tell: Labs['tell'] = async (...asked) => count(figures, await send(attack, ...asked));
  for (const cost of COSTS.filter(({ name }) => only.test(name)))
    await attack.during(cost.name, () =>
      cost
        .ask({ ...labs, ask, tell }, attack)
        .catch((error: unknown) => attack.blame(`${cost.name}: ${String(error)}`)),
    );
  client.close();
  return figures;
};

const bytesOf = (body: object | Buffer): Buffer => (Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body)));

const labsOf = async ({ random, during, client }: Attack, ask: Labs['ask']): Promise<Omit<Labs, 'ask' | 'tell'>> => {
  const [long, empty] = [random.uuid(), random.uuid()];
  await ask('POST', '/v2/projects', { name: 'long', project_id: long });
  await ask('POST', '/v2/projects', { name: 'empty', project_id: empty });
  let row = '';
  await during('apply of a row of 5,000 switches', async () => {
    const applied = await ask('POST', '/v2/labs/apply', { text: rowText('row', ROW) });
    row = `/v2/projects/${(JSON.parse(applied) as { project_id: string }).project_id}`;
  });
  const made = await ask('POST', `/v2/projects/${long}/drawings`, {});
  const { drawing_id: id } = JSON.parse(made) as { drawing_id: string };
  await during('180,000 events in batches of 20,000', async () => {
    for (let n = 0; n < EVENTS; n += AT_ONCE)
      await ask('POST', `/v2/projects/${long}/batch`, {
        steps: times(AT_ONCE, (step) => ({ action: 'update', type: 'drawing', id, record: { x: n + step } })),
      });
  });
  return {
    ...{ row, long: `/v2/projects/${long}`, empty: `/v2/projects/${empty}` },
    nodes: (await client.get(`${row}/nodes`)) as Labs['nodes'],
    links: (await client.get(`${row}/links`)) as Labs['links'],
  };
};
