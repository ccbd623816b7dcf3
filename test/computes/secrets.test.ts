import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { type Bag, type TwoServers, twoServers } from './two-servers.ts';

/** A lab whose containers run at another Topolog, both with the engine that only pretends. */
let both: TwoServers;
const flags = ['--engine', 'container=simulated'];
before(async () => (both = await twoServers(flags, flags)));
after(() => both.close());

/** Names of files with this text, below a data directory. */
const filesWith = (dataDir: string, text: string): string[] => {
  try {
    return execFileSync('grep', ['-rl', text, dataDir], { encoding: 'utf8' }).trim().split('\n');
  } catch {
    return [];
  }
};

const placesOf = (dataDir: string): string[] => [
  ...new Set(filesWith(dataDir, 'hunter2').map((file) => file.slice(dataDir.length + 1).split('/')[0] ?? '')),
];

describe('secrets of a node at another Topolog', () => {
  it('reach it, are beside both logs only, and no answer of either has them', async () => {
    const environment = 'A=1\nDB_PASSWORD=hunter2env\nDSN=db:***secret:hunter2dsn***@host';
    const shown = 'A=1\nDB_PASSWORD=***\nDSN=db:***@host';
    const nodes = `/projects/${both.project}/nodes`;
    const node = (await both.ask(201, 'POST', nodes, {
      ...{ name: 'C1', node_type: 'container', compute_id: 'far' },
      properties: { image: 'box:latest', environment },
    })) as Bag & { node_id: string; properties: Bag };
    assert.equal(node.properties['environment'], shown);
    await both.ask(200, 'POST', `${nodes}/${node.node_id}/start`);
    const there = await both.far.request('GET', `/v2/projects/${both.project}/nodes/${node.node_id}`);
    assert.equal((there.body as { properties: Bag }).properties['environment'], shown);
    for (const { dataDir } of [both.here, both.far]) assert.deepEqual(placesOf(dataDir), ['secrets']);
    assert.equal(filesWith(both.far.dataDir, 'hunter2dsn').length, 1);
  });
});

describe('the interface', () => {
  it('answers no secret, and no reference but in events', async () => {
    const { here, project } = both;
    const variables = [{ name: 'API_TOKEN', value: 'hunter2var' }];
    await both.ask(200, 'PUT', `/projects/${project}`, { variables });
    const [node] = (await both.ask(200, 'GET', `/projects/${project}/nodes`)) as { node_id: string }[];
    const at = `/projects/${project}/nodes/${node?.node_id}`;
    const refused = { properties: { environment: 'DB_PASSWORD=hunter2bad', nosuch: 1 } };
    await both.ask(400, 'PUT', at, refused);
    const template = { name: 't', template_type: 'container', image: 'box', environment: 'X_SECRET=hunter2tpl' };
    const { template_id } = (await both.ask(201, 'POST', '/templates', template)) as { template_id: string };
    const { paths } = (await both.ask(200, 'GET', '/openapi.json')) as { paths: Record<string, Bag> };
    let looked = 0;
    for (const [path, operations] of Object.entries(paths)) {
      const url = path
        .replace('{project_id}', project)
        .replace('{node_id}', node?.node_id ?? '')
        .replace('{template_id}', template_id)
        .replace(/\{(?:kind|node_type)\}/, 'container');
      if (operations['get'] === undefined || /\{|notifications|\/wait|\/ws$/.test(url)) continue;
      const { text } = await here.request('GET', url);
      assert.doesNotMatch(text, /hunter2/, url);
      if (!/\/(?:events|history|session)$/.test(url)) assert.doesNotMatch(text, /\*\*\*[0-9a-f]{32}/, url);
      looked++;
    }
    assert.ok(looked > 30, `${looked} routes`);
    assert.deepEqual(placesOf(here.dataDir), ['secrets']);
  });
});
