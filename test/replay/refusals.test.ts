import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { DataOf } from '../../src/events/schemas.ts';
import { testServer, type TestServer } from '../support/server.ts';
import { eventsIn, makeProject, type Made } from './lab.ts';

let server: TestServer;
before(async () => {
  server = await testServer();
});
after(() => server.close());

/** The refusals on record, once something else is on record after them. */
const refusals = async (
  lab: Made,
): Promise<(DataOf<'request.refused'> & { position: number; cause: number | null })[]> => {
  await lab.post('/drawings', {});
  return (await eventsIn(server, lab.id)).flatMap(({ type, data, position, cause }) =>
    type === 'request.refused' ? [{ ...data, position, cause }] : [],
  );
};

describe('the record of a refused request', () => {
  it('has its body without secrets', async () => {
    const lab = await makeProject(server, 'secrets');
    const body = {
      name: 'x',
      properties: { iourc_content: 'key', deep: [{ apiToken: 't', plain: 1 }] },
      Password: 'p',
    };
    await lab.refused(400, 'POST', '/nodes', body);
    const [first] = await refusals(lab);
    const out = '[left out]';
    assert.deepEqual(first?.body, {
      name: 'x',
      properties: { iourc_content: out, deep: [{ apiToken: out, plain: 1 }] },
      Password: out,
    });
  });

  it('has null for none, and says why a body is not kept', async () => {
    const lab = await makeProject(server, 'bodies');
    await lab.refused(400, 'POST', '/nodes');
    await lab.refused(400, 'POST', '/nodes', '{"broken');
    await lab.refused(400, 'POST', '/nodes', { name: 'x'.repeat(5000) });
    const bodies = (await refusals(lab)).map((r) => r.body);
    assert.equal(bodies[0], null);
    assert.match(String(bodies[1]), /no JSON object/);
    assert.match(String(bodies[2]), /longer than 4096/);
  });

  it('of one that is repeated points to the first', async () => {
    const lab = await makeProject(server, 'repeated');
    for (let n = 0; n < 4; n++) await lab.refused(400, 'POST', '/nodes', { n });
    await server.restart();
    await lab.post('/open').catch(() => undefined);
    const [first, again] = (await eventsIn(server, lab.id)).filter((f) => f.type === 'request.refused');
    assert.deepEqual([first?.data.count, first?.cause, again?.data.count, again?.cause], [1, null, 3, first?.position]);
  });
});
