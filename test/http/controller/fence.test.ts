import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { conflict } from '../../../src/common/errors.ts';
import { fakeLab, kinds, NODE, node, PROJECT, project, serve, UNKNOWN } from '../fake-lab.ts';

const MINE = 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa';
const OTHER = 'bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb';
const NODES = `/v2/compute/projects/${PROJECT}/simple_pc/nodes`;
const CONTROLLER = '/v2/compute/controller';

let lab = fakeLab();
let app = serve(lab);
beforeEach(() => {
  lab = fakeLab();
  app = serve(lab);
  lab.records.put('claim', 'controller', { controller_id: MINE, name: 'desk', epoch: 3, created: 1, changed: 1 });
});
afterEach(() => app.close());

const ask = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, from: string | null, payload?: object) => {
  const headers = from === null ? {} : { 'x-topolog-controller': from };
  const answer = await app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
  return {
    status: answer.statusCode,
    body: answer.body === '' ? null : answer.json<Record<string, unknown>>(),
    answer,
  };
};
const namesOfCalls = (): unknown[] => lab.calls.map(([name]) => name);

describe('the fence', () => {
  it('lets the controller pass that has the compute, and clients that are none', async () => {
    assert.equal((await ask('POST', `${NODES}/${NODE}/stop`, `${MINE} 3`)).status, 204);
    assert.equal((await ask('POST', `${NODES}/${NODE}/stop`, `${MINE.toUpperCase()} 3 17`)).status, 204);
    assert.equal((await ask('POST', `${NODES}/${NODE}/stop`, null)).status, 204);
  });

  it('refuses another controller and other epochs before anything is done, and says who has it', async () => {
    const refused: [string, RegExp][] = [
      [`${OTHER} 3`, /it is the compute of controller desk \(aaaaaaaa-.*, epoch 3\)/],
      [`${MINE} 2 9`, /epoch 2 is over, 3 has claimed it/],
      [`${MINE} 4`, /epoch 4 has not claimed it yet, 3 has/],
    ];
    for (const [from, reason] of refused) {
      const { status, body } = await ask('POST', NODES, from, { name: 'PC' });
      assert.deepEqual([status, body?.['code']], [409, 'fenced']);
      assert.match(String(body?.['message']), reason);
      assert.deepEqual(body?.['holder'], { controller_id: MINE, name: 'desk', epoch: 3 });
      for (const method of ['PUT', 'DELETE'] as const)
        assert.equal((await ask(method, `${NODES}/${NODE}`, from)).body?.['code'], 'fenced');
    }
    lab.records.delete('claim', 'controller');
    const { body } = await ask('POST', `${NODES}/${NODE}/stop`, `${MINE} 3`);
    assert.match(String(body?.['message']), /no controller has it; PUT \/v2\/compute\/controller claims it/);
    assert.deepEqual(lab.calls, []);
    assert.equal(lab.refusals.length, 10);
  });

  it('lets everyone read', async () => {
    assert.equal((await ask('GET', `${NODES}/${NODE}`, `${OTHER} 1`)).status, 200);
  });

  it('wants a header that it understands', async () => {
    const wrong = [
      '',
      'x 1',
      MINE,
      `${MINE} 0`,
      `${MINE} -1`,
      `${MINE} 1.5`,
      `${MINE} 3 a b`,
      `${MINE} 3 ${'k'.repeat(256)}`,
    ];
    for (const from of wrong)
      for (const method of ['GET', 'POST'] as const) {
        const { status, body } = await ask(method, method === 'GET' ? CONTROLLER : `${NODES}/${NODE}/stop`, from);
        assert.equal(status, 400, from);
        assert.match(String(body?.['message']), /X-Topolog-Controller must be <controller_id> <epoch>/);
      }
    assert.deepEqual(lab.calls, []);
  });

  it('does not stand before the claim itself', async () => {
    const claim = { controller_id: OTHER, name: 'other', epoch: 1, take: true };
    assert.equal((await ask('PUT', CONTROLLER, `${OTHER} 1`, claim)).status, 200);
    assert.deepEqual(lab.calls, [['claimCompute', OTHER, 'other', 1, true]]);
    assert.deepEqual((await ask('GET', CONTROLLER, null)).body, { controller_id: OTHER, name: 'other', epoch: 1 });
    assert.equal((await ask('DELETE', CONTROLLER, `${OTHER} 1`)).status, 204);
    assert.equal((await ask('GET', CONTROLLER, null)).status, 404);
  });

  it('has claims with all their fields', async () => {
    const claim = { controller_id: MINE, name: 'desk', epoch: 3 };
    const wrong: [object, RegExp][] = [
      [{ ...claim, controller_id: 'desk' }, /controller_id must be a UUID/],
      [{ ...claim, name: '' }, /name must have at least 1/],
      [{ ...claim, epoch: 0 }, /epoch must be at least 1/],
      [{ ...claim, take: 'yes' }, /take must be a boolean/],
    ];
    for (const [body, message] of wrong) {
      const answer = await ask('PUT', CONTROLLER, null, body);
      assert.equal(answer.status, 400);
      assert.match(String(answer.body?.['message']), message);
    }
    const { status, body } = await ask('DELETE', CONTROLLER, null);
    assert.equal(status, 400);
    assert.match(String(body?.['message']), /X-Topolog-Controller is missing/);
  });
});

describe('a key', () => {
  it('makes a repetition get the first answer, and do nothing', async () => {
    const first = await ask('POST', NODES, `${MINE} 3 17`, { name: 'PC' });
    const again = await ask('POST', NODES, `${MINE} 3 17`, { name: 'PC' });
    assert.deepEqual([again.status, again.body], [201, first.body]);
    assert.deepEqual(namesOfCalls(), ['createNode']);
    assert.equal((await ask('POST', `${NODES}/${NODE}/stop`, `${MINE} 3 18`)).status, 204);
    assert.equal((await ask('POST', `${NODES}/${NODE}/stop`, `${MINE} 3 18`)).status, 204);
    assert.deepEqual(namesOfCalls(), ['createNode', 'actOnNode']);
  });

  it('is known again under either name of a kind, and by a later run of the controller', async () => {
    await ask('POST', NODES, `${MINE} 3 17`, { name: 'PC' });
    lab.records.put('claim', 'controller', { controller_id: MINE, name: 'desk', epoch: 4, created: 1, changed: 2 });
    await ask('POST', NODES.replace('simple_pc', 'vpcs'), `${MINE} 4 17`, { name: 'PC' });
    assert.deepEqual(namesOfCalls(), ['createNode']);
    assert.equal((await ask('POST', NODES, `${MINE} 3 17`, { name: 'PC' })).body?.['code'], 'fenced');
  });

  it('is one for a request: one event may lead to several', async () => {
    await ask('POST', NODES, `${MINE} 3 17`, { name: 'PC' });
    await ask('POST', NODES, `${MINE} 3 17`, { name: 'PC2' });
    await ask('POST', `${NODES}/${NODE}/start`, `${MINE} 3 17`);
    await ask('POST', NODES, `${MINE} 3 18`, { name: 'PC3' });
    assert.deepEqual(namesOfCalls(), ['createNode', 'createNode', 'actOnNode', 'createNode']);
  });

  it('repeats a refusal as well', async () => {
    lab.failNext(conflict('another node of the project is named PC'));
    const first = await ask('POST', NODES, `${MINE} 3 17`, { name: 'PC' });
    const again = await ask('POST', NODES, `${MINE} 3 17`, { name: 'PC' });
    assert.deepEqual([again.status, again.body], [409, first.body]);
    assert.deepEqual(namesOfCalls(), ['createNode']);
  });
});

for (const names of ['neutral', 'gns3'] as const)
  describe(`a controller at a compute with the names ${names}`, () => {
    beforeEach(async () => {
      await app.close();
      app = serve(lab, { names });
    });

    it('is told the engines and what answers it', async () => {
      const with_ = await ask('GET', '/v2/compute/capabilities', `${MINE} 3`);
      assert.ok(Array.isArray(with_.body?.['engines']));
      const without = await ask('GET', '/v2/compute/capabilities', null);
      assert.equal(Array.isArray(without.body?.['engines']), names === 'neutral');
      for (const { answer } of [with_, without]) assert.equal(answer.headers['x-topolog'], '1.2.3');
    });

    it('gets the node that is there, which takes what is new', async () => {
      const { status, body } = await ask('POST', NODES, `${MINE} 3`, { name: 'PC1', node_id: NODE, console: 5001 });
      assert.deepEqual([status, body?.['node_id']], [201, NODE]);
      assert.deepEqual(lab.calls, [['updateNode', PROJECT, NODE, { name: 'PC1', properties: {} }, 'make_unique']]);
    });

    it('gets another console where the one it wishes for is taken', async () => {
      lab.failNext(conflict('console port 5000 belongs to another node', { field: 'console' }));
      const { status } = await ask('POST', NODES, `${MINE} 3`, { name: 'PC9', console: 5000 });
      assert.equal(status, 201);
      assert.deepEqual(
        lab.calls.map(([name, , input]) => [name, (input as { console?: number }).console]),
        [
          ['createNode', 5000],
          ['createNode', undefined],
        ],
      );
    });

    it('is told of an image that is missing, and may come again with its key', async () => {
      const url = `/v2/compute/projects/${PROJECT}/machine_emulator/nodes`;
      const body = { name: 'vm', hda_disk_image: UNKNOWN };
      for (let n = 0; n < 2; n++) {
        const refused = await ask('POST', url, `${MINE} 3 17`, body);
        assert.equal(refused.status, 409);
        assert.deepEqual([refused.body?.['exception'], refused.body?.['image']], ['ImageMissingError', UNKNOWN]);
      }
      assert.equal((await ask('POST', url, `${MINE} 3 17`, { ...body, hda_disk_image: 'a.qcow2' })).status, 201);
    });

    it('opens a project by creating it, and keeps it open', async () => {
      lab.records.put('project', PROJECT, project({ state: 'closed' }));
      assert.equal(
        (await ask('POST', '/v2/compute/projects', `${MINE} 3`, { name: 'x', project_id: PROJECT })).status,
        201,
      );
      assert.deepEqual(lab.calls, [['openProject', PROJECT]]);
      await ask('POST', '/v2/compute/projects', `${MINE} 3`, { name: 'new', auto_close: true });
      assert.deepEqual(lab.calls[1], ['createProject', { name: 'new', auto_close: false, names: 'make_unique' }]);
    });

    it('closes a project that is closed', async () => {
      lab.records.put('project', PROJECT, project({ state: 'closed' }));
      assert.equal((await ask('POST', `/v2/compute/projects/${PROJECT}/close`, `${MINE} 3`)).status, 204);
    });

    it('puts a NIO in the place of the one that is there', async () => {
      const nio = { type: 'nio_udp', lport: 4000, rhost: '127.0.0.1', rport: 4001 };
      lab.records.put('node', NODE, node('simple_pc', { nios: { '0/0': nio } }));
      const url = `${NODES}/${NODE}/adapters/0/ports/0/nio`;
      assert.equal((await ask('POST', url, `${MINE} 3`, { ...nio, rport: 4002 })).status, 201);
      assert.deepEqual(namesOfCalls(), ['updateNio']);
    });

    it('suspends what it says', async () => {
      assert.equal((await ask('POST', `${NODES}/${NODE}/suspend`, `${MINE} 3`)).status, 204);
      assert.deepEqual(lab.calls, [['actOnNode', PROJECT, NODE, 'suspend', undefined]]);
    });

    it('leaves the start of a stopped node to an operation that needs it', async () => {
      const kind = kinds
        .all()
        .find(({ nodeOperations }) => nodeOperations?.some(({ requires }) => requires === 'started'));
      const operation = kind?.nodeOperations?.find(({ requires }) => requires === 'started');
      assert.ok(kind !== undefined && operation !== undefined);
      lab.records.put('node', NODE, node(kind.name));
      const url = `/v2/compute/projects/${PROJECT}/${kind.name}/nodes/${NODE}/${operation.path}`;
      assert.equal((await ask(operation.method, url, `${MINE} 3`)).status, operation.code);
      assert.deepEqual(namesOfCalls(), ['actOnNode', 'operateNode', 'actOnNode']);
    });
  });
