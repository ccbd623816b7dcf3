import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { type Answer, testServer, type TestServer } from '../support/server.ts';

type Row = Record<string, unknown>;
interface Edits {
  undo: number | null;
  redo: number | null;
  edits: {
    position: number;
    action: string;
    undone: boolean;
    can_undo: boolean;
    why_not: string | null;
    objects: Row[];
  }[];
}

let server: TestServer;
before(async () => {
  server = await testServer();
});
after(() => server.close());

const as = (user: string) => ({ 'X-Topolog-User': user });
const ask = (user: string, method: string, path: string, body?: unknown): Promise<Answer> =>
  server.request(method, path, body, as(user));
const project = async (): Promise<string> => {
  const made = await server.request('POST', '/v2/projects', { name: randomUUID() });
  return `/v2/projects/${(made.body as { project_id: string }).project_id}`;
};
const node = async (user: string, path: string, name: string): Promise<string> => {
  const answer = await ask(user, 'POST', `${path}/nodes`, { name, node_type: 'simple_pc', compute_id: 'local' });
  assert.equal(answer.status, 201, answer.text);
  return String((answer.body as Row)['node_id']);
};
const editsOf = async (user: string, path: string): Promise<Edits> => {
  const answer = await ask(user, 'GET', `${path}/edits`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body as Edits;
};
const messageOf = ({ body }: Answer): string => String((body as Row)['message']);

describe('edits', () => {
  it('are listed newest first, with what they touched as it was called then, and for each who can undo it', async () => {
    const path = await project();
    const id = await node('ada', path, 'PC1');
    await ask('ada', 'PUT', `${path}/nodes/${id}`, { x: 5, y: 6 });
    await ask('bob', 'PUT', `${path}/nodes/${id}`, { name: 'R1' });
    const { edits, undo, redo } = await editsOf('ada', path);
    assert.deepEqual(
      edits.map(({ action, objects }) => [action, objects[0]?.['name'], objects[0]?.['was']]),
      [
        ['rename', 'R1', 'PC1'],
        ['move', 'PC1', null],
        ['create', 'PC1', null],
      ],
    );
    assert.deepEqual(
      edits.map(({ can_undo, why_not }) => [can_undo, why_not]),
      [
        [false, 'It is an edit by bob.'],
        [true, null],
        [true, null],
      ],
    );
    assert.deepEqual([undo, redo], [edits[1]?.position, null]);
    assert.equal((await editsOf('carol', path)).undo, null);
    assert.equal((await ask('ada', 'GET', `${path}/edits?limit=1`)).status, 200);
    assert.equal((await ask('ada', 'GET', `${path}/edits?limit=0`)).status, 400);
    assert.equal((await ask('ada', 'GET', `/v2/projects/${randomUUID()}/edits`)).status, 404);
  });

  it('are one where requests say that they are, and settings that went along say nothing', async () => {
    const path = await project();
    const id = await node('ada', path, 'PC1');
    const together = { ...as('ada'), 'X-Request-Id': randomUUID() };
    const group = { group_id: randomUUID(), name: 'G', color: '#0072b2', collapsed: false, nodes: [id] };
    assert.equal((await server.request('PUT', `${path}/nodes/${id}`, { x: 7, y: 8 }, together)).status, 200);
    assert.equal((await server.request('PUT', path, { groups: [group] }, together)).status, 200);
    const { edits } = await editsOf('ada', path);
    assert.deepEqual(
      edits.map(({ action }) => action),
      ['move', 'create'],
    );
    assert.equal((await ask('ada', 'POST', `${path}/undo`)).status, 200);
    const record = (await ask('ada', 'GET', `${path}/nodes/${id}`)).body as Row;
    assert.deepEqual([record['x'], record['y']], [0, 0]);
    assert.deepEqual(((await ask('ada', 'GET', path)).body as Row)['groups'] ?? [], []);
    assert.equal((await ask('ada', 'POST', `${path}/redo`)).status, 200);
    assert.equal((((await ask('ada', 'GET', path)).body as Row)['groups'] as Row[]).length, 1);
  });

  it('do not count starts, stops, and what makes a whole project', async () => {
    const path = await project();
    const id = await node('ada', path, 'PC1');
    await ask('ada', 'POST', `${path}/nodes/${id}/start`);
    await ask('ada', 'POST', `${path}/nodes/${id}/stop`);
    assert.equal((await editsOf('ada', path)).edits.length, 1);
  });

  it('are those of one address where nobody says who it is', async () => {
    const path = await project();
    await server.request('POST', `${path}/drawings`, { svg: '<svg></svg>' }, { 'User-Agent': 'a script' });
    const answer = await server.request('POST', `${path}/undo`, {}, { 'User-Agent': 'a browser' });
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual((await server.request('GET', `${path}/drawings`)).body, []);
  });

  it('are undone and redone one after another, also after the server was started again', async () => {
    const path = await project();
    const id = await node('ada', path, 'PC1');
    const place = { x: 50, y: 60 };
    await ask('ada', 'PUT', `${path}/nodes/${id}`, place);
    const before = (await ask('ada', 'GET', `${path}/nodes/${id}`)).body as Row;
    await server.restart();
    const undone = await ask('ada', 'POST', `${path}/undo`, {});
    assert.equal(undone.status, 200, undone.text);
    const { edit, changes } = undone.body as { edit: Row; changes: Row[] };
    assert.equal(edit['action'], 'move');
    assert.deepEqual(changes, [
      {
        ...{ type: 'node', id, name: 'PC1', action: 'change' },
        fields: [
          { field: 'x', from: 50, to: 0 },
          { field: 'y', from: 60, to: 0 },
        ],
      },
    ]);
    assert.equal(((await ask('ada', 'GET', `${path}/nodes/${id}`)).body as Row)['x'], 0);
    await server.restart();
    assert.equal((await editsOf('ada', path)).redo, edit['position']);
    assert.equal((await ask('ada', 'POST', `${path}/redo`, { position: edit['position'] })).status, 200);
    assert.deepEqual((await ask('ada', 'GET', `${path}/nodes/${id}`)).body, before);
    const again = await ask('ada', 'POST', `${path}/redo`, { position: edit['position'] });
    assert.equal(again.status, 409);
    assert.match(messageOf(again), /that edit is done already/);
  });

  it('are refused with what keeps them: nothing there, of somebody else, of another moment, a closed project', async () => {
    const path = await project();
    const nothing = await ask('ada', 'POST', `${path}/undo`, {});
    assert.equal(nothing.status, 409);
    assert.match(messageOf(nothing), /you have nothing to undo/);
    assert.equal((await ask('ada', 'POST', `${path}/undo`, { position: 1 })).status, 404);
    const wrong = await ask('ada', 'POST', `${path}/undo`, { position: 'last' });
    assert.equal(wrong.status, 400);
    assert.match(wrong.text, /position/);
    await node('ada', path, 'PC1');
    await ask('ada', 'POST', `${path}/close`);
    assert.equal((await ask('ada', 'POST', `${path}/undo`, {})).status, 403);
  });

  it('whose objects were changed since stay, with a 409 that says so for programs too', async () => {
    const path = await project();
    const id = await node('ada', path, 'PC1');
    await ask('bob', 'PUT', `${path}/nodes/${id}`, { x: 5 });
    const answer = await ask('ada', 'POST', `${path}/undo`, {});
    assert.equal(answer.status, 409);
    assert.match(messageOf(answer), /nothing is left to undo: x of PC1 was changed by bob since/);
    assert.equal((answer.body as Row)['nothing_left'], true);
    assert.equal((await ask('ada', 'GET', `${path}/nodes/${id}`)).status, 200);
  });
});

describe('files of a node that was deleted', () => {
  const scriptOf = async (path: string, id: string): Promise<Answer> =>
    ask('ada', 'GET', `${path}/nodes/${id}/files/startup.vpc`);
  const withScript = async (path: string): Promise<string> => {
    const properties = { startup_script: 'ip 10.0.0.1/24' };
    const body = { name: 'PC1', node_type: 'simple_pc', compute_id: 'local', properties };
    return String(((await ask('ada', 'POST', `${path}/nodes`, body)).body as Row)['node_id']);
  };
  const undo = async (path: string): Promise<void> => {
    const undone = await ask('ada', 'POST', `${path}/undo`, {});
    assert.equal(undone.status, 200, undone.text);
  };

  it('come back with it, also after the server was started again, and go again when it goes', async () => {
    const path = await project();
    const id = await withScript(path);
    const before = await scriptOf(path, id);
    assert.equal(before.status, 200, before.text);
    await ask('ada', 'DELETE', `${path}/nodes/${id}`);
    await server.restart();
    await undo(path);
    assert.equal((await scriptOf(path, id)).text, before.text);
    await ask('ada', 'POST', `${path}/redo`, {});
    assert.equal((await scriptOf(path, id)).status, 404);
    await undo(path);
    assert.equal((await scriptOf(path, id)).text, before.text);
  });

  it('are gone once its project was closed, and are nothing to another node with its id', async () => {
    const path = await project();
    const id = await withScript(path);
    await ask('ada', 'DELETE', `${path}/nodes/${id}`);
    const other = { name: 'PC1', node_type: 'simple_pc', compute_id: 'local', node_id: id };
    assert.equal((await ask('ada', 'POST', `${path}/nodes`, other)).status, 201);
    assert.equal((await scriptOf(path, id)).status, 404);

    const second = await project();
    const gone = await withScript(second);
    await ask('ada', 'DELETE', `${second}/nodes/${gone}`);
    await ask('ada', 'POST', `${second}/close`);
    await ask('ada', 'POST', `${second}/open`);
    await undo(second);
    assert.equal((await scriptOf(second, gone)).status, 404);
  });
});

describe('restore', () => {
  it('plans, restores one object or all, and is one edit', async () => {
    const path = await project();
    const [a, b] = [await node('ada', path, 'A'), await node('ada', path, 'B')];
    const nodes = [a, b].map((node_id) => ({ node_id, adapter_number: 0, port_number: 0 }));
    await ask('ada', 'POST', `${path}/links`, { nodes });
    const { events } = (await ask('ada', 'GET', `${path}/events`)).body as { events: { position: number }[] };
    const at = events.at(-1)?.position;
    await ask('bob', 'DELETE', `${path}/nodes/${a}`);
    await ask('bob', 'PUT', `${path}/nodes/${b}`, { x: 77 });
    const plan = await ask('ada', 'POST', `${path}/restore`, { at, plan: true });
    assert.equal(plan.status, 200, plan.text);
    const { position, changes } = plan.body as { position: number; changes: Row[] };
    assert.equal(position, at);
    assert.deepEqual(changes.map(({ action, type }) => `${String(action)} ${String(type)}`).sort(), [
      'change node',
      'create link',
      'create node',
    ]);
    assert.equal((await ask('ada', 'GET', `${path}/nodes/${a}`)).status, 404);
    const one = { at, objects: [{ type: 'node', id: b }] };
    assert.equal((await ask('ada', 'POST', `${path}/restore`, one)).status, 200);
    assert.equal(((await ask('ada', 'GET', `${path}/nodes/${b}`)).body as Row)['x'], 0);
    assert.equal((await ask('ada', 'POST', `${path}/restore`, { at })).status, 200);
    assert.equal(((await ask('ada', 'GET', `${path}/links`)).body as Row[]).length, 1);
    assert.equal((await ask('ada', 'POST', `${path}/undo`)).status, 200);
    assert.equal((await ask('ada', 'GET', `${path}/nodes/${a}`)).status, 404);
    assert.equal((await ask('ada', 'POST', `${path}/restore`, { at: 'yesterday' })).status, 400);
    assert.equal((await ask('ada', 'POST', `${path}/restore`, {})).status, 400);
  });
});
