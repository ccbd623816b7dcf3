import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { projectData, PROJECT } from '../support/events.ts';
import { failure, NODE, nodeData, startedData } from '../support/events-of-node.ts';
import { UNKNOWN } from './fake-records.ts';
import { type FeedLab, feedLab } from './feed-lab.ts';

const NODE_2 = '00000000-0000-4000-8000-0000000000cc';
const ofNode = { node_id: NODE, project_id: PROJECT };

let lab: FeedLab;
beforeEach(async () => {
  lab = await feedLab({ limits: { listeners: 2 } });
  await lab.append('project.created', projectData());
  await lab.append('project.opened', { project_id: PROJECT });
  await lab.append('node.created', nodeData());
  await lab.append('node.created', nodeData({ node_id: NODE_2, name: 'PC2' }));
});
afterEach(() => lab.close());

interface Answer {
  status: number;
  body: Record<string, unknown> & { message: string };
  nodes: { name: string; status: string }[];
}
const wait = async (query: string, project = PROJECT): Promise<Answer> => {
  const answer = await fetch(`${lab.url}/v2/projects/${project}/wait?${query}`);
  assert.equal(answer.headers.get('x-route'), '/v2/projects/{project_id}/wait');
  const body: unknown = await answer.json();
  return { status: answer.status, body: body as Answer['body'], nodes: body as Answer['nodes'] };
};
/** A request that has begun to wait: another one was answered after it had been sent. */
const waiting = async (query: string): Promise<{ answer: Promise<Answer> }> => {
  const listening = new Promise<void>((resolve) => {
    const { changes } = lab;
    const plain = changes.onCommitted;
    changes.onCommitted = (...args) => {
      changes.onCommitted = plain;
      resolve();
      plain(...args);
    };
  });
  const answer = wait(query);
  await Promise.race([listening, answer]);
  return { answer };
};
const start = (node_id = NODE) => lab.append('node.started', { ...startedData(), node_id });
const names = ({ nodes }: Answer): string[] => nodes.map(({ name }) => name);

describe('waiting for nodes', () => {
  it('answers their records at once when they are there, in the order asked for', async () => {
    const answer = await wait('node=PC2&node=PC1&status=stopped');
    assert.equal(answer.status, 200);
    assert.deepEqual(names(answer), ['PC2', 'PC1']);
    assert.deepEqual(names(await wait(`node=${NODE}&node=PC1&status=stopped&timeout=0`)), ['PC1']);
  });

  it('answers as soon as the last of them is there', async () => {
    const { answer } = await waiting('node=PC1&node=PC2&status=started&timeout=60');
    await start();
    await start(NODE_2);
    const { status, nodes } = await answer;
    assert.equal(status, 200);
    assert.deepEqual(
      nodes.map((n) => [n.name, n.status]),
      [
        ['PC1', 'started'],
        ['PC2', 'started'],
      ],
    );
  });

  it('of the whole project takes in those that come meanwhile', async () => {
    await start();
    const { answer } = await waiting('all=true&status=started&timeout=60');
    await lab.append('node.created', nodeData({ node_id: UNKNOWN, name: 'PC3' }));
    await start(NODE_2);
    await start(UNKNOWN);
    assert.deepEqual(names(await answer), ['PC1', 'PC2', 'PC3']);
  });

  it('does not take a node on its way for one that is there', async () => {
    await lab.append('node.start_requested', { ...ofNode, arguments: {} });
    const { status, body } = await wait('node=PC1&status=stopped&timeout=0');
    assert.equal(status, 408);
    assert.match(body.message, /PC1 is starting/);
  });

  it('is 408 with what is missing, and why, when the time is over', async () => {
    await lab.append('node.start_failed', { ...ofNode, failure });
    await start(NODE_2);
    const { status, body } = await wait('all=true&status=suspended&timeout=0');
    assert.equal(status, 408);
    assert.equal(body['code'], 'deadline');
    assert.equal(body.message, '2 of 2 nodes were not suspended within 0 s: PC1 is stopped, PC2 is started');
    assert.deepEqual(body['missing'], [
      { node_id: NODE, name: 'PC1', state: 'stopped', failure },
      { node_id: NODE_2, name: 'PC2', state: 'started', failure: null },
    ]);
  });

  it('for a start is 409 with the reason once it has failed, as nothing tries it again', async () => {
    const { answer } = await waiting('all=true&status=started&timeout=60');
    await lab.append('node.start_requested', { ...ofNode, arguments: {} });
    await lab.append('node.start_failed', { ...ofNode, failure });
    for (const { status, body } of [await answer, await wait('node=PC1&status=started&timeout=60')]) {
      assert.equal(status, 409);
      assert.equal(body['code'], 'nodes_failed');
      assert.deepEqual(body['failed'], [{ node_id: NODE, name: 'PC1', ...failure }]);
    }
  });

  it('is 404 for a node that is not there or is deleted meanwhile, and for an unknown project', async () => {
    assert.equal((await wait('node=PC9&status=started')).status, 404);
    assert.equal((await wait('node=PC1&status=started', UNKNOWN)).status, 404);
    const { answer } = await waiting('node=PC1&status=started&timeout=60');
    await lab.append('node.deleted', ofNode);
    assert.equal((await answer).status, 404);
  });

  it('is 403 in a closed project, where nothing starts', async () => {
    const { answer } = await waiting('node=PC1&status=started&timeout=60');
    await lab.append('project.closed', { project_id: PROJECT });
    assert.equal((await answer).status, 403);
    assert.equal((await wait('node=PC1&status=stopped')).status, 200);
  });

  it('is 400 without a state, for a wrong one, without nodes, or for a time that is out of range', async () => {
    for (const [query, field] of [
      ['node=PC1', 'status'],
      ['node=PC1&status=paused', 'status'],
      ['status=started', 'node'],
      ['node=PC1&all=true&status=started', 'all'],
      ['all=yes&status=started', 'all'],
      ['node=PC1&status=started&timeout=601', 'timeout'],
      ['node=PC1&status=started&timeout=-1', 'timeout'],
    ] as const) {
      const { status, body } = await wait(query);
      assert.equal(status, 400, query);
      assert.match(body.message, new RegExp(`^The request is not valid: ${field} `), query);
    }
  });

  it('is 503 when the server closes', async () => {
    const { answer } = await waiting('node=PC1&status=started&timeout=60');
    await lab.app.close();
    assert.equal((await answer).status, 503);
  });

  it('counts among the listeners while it lasts', async () => {
    const [first, second] = [
      await waiting('node=PC1&status=started&timeout=60'),
      await waiting('node=PC2&status=started&timeout=60'),
    ];
    assert.equal((await wait('node=PC1&status=started')).status, 429);
    await start();
    await start(NODE_2);
    for (const { answer } of [first, second]) assert.equal((await answer).status, 200);
    assert.equal((await wait('node=PC1&status=started')).status, 200);
  });
});
