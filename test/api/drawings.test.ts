import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import {
  assertBrokenBodies,
  assertMalformedIds,
  assertWrongFields,
  type Bag,
  id,
  startApi,
  type Values,
} from './api.ts';
import { assertFields, type FieldTable, without } from './fields.ts';

const DRAWING = '/v2/projects/{project_id}/drawings/{drawing_id}';
const GET = `GET ${DRAWING}`;
const PUT = `PUT ${DRAWING}`;
const DELETE = `DELETE ${DRAWING}`;
const POST = 'POST /v2/projects/{project_id}/drawings';

const api = await startApi();
after(() => api.close());

describe('a drawing', () => {
  let project_id = '';
  before(async () => {
    project_id = await api.project();
  });
  const SVG = '<svg width="10" height="10"><rect width="10" height="10" fill="#fff"/></svg>';
  const drawn = async (body: Bag = {}): Promise<{ record: Bag; at: Values }> => {
    const record = await api.get(201, POST, { project_id }, { x: 10, y: -20, z: 3, rotation: 45, svg: SVG, ...body });
    return { record, at: { project_id, drawing_id: id(record, 'drawing_id') } };
  };

  it(`[${GET} 200] [rule 1] is read as it was made`, async () => {
    const { record, at } = await drawn();
    const read = await api.get(200, GET, at);
    assert.deepEqual(read, record);
    assert.deepEqual([read['x'], read['y'], read['z'], read['rotation'], read['svg']], [10, -20, 3, 45, SVG]);
  });

  it('[fields drawing] has every field with its type, read and updated', async () => {
    const table: FieldTable = {
      drawing_id: 'uuid',
      project_id: 'uuid',
      rotation: 'integer',
      svg: 'string',
      x: 'integer',
      y: 'integer',
      z: 'integer',
    };
    const { record, at } = await drawn();
    assertFields(record, table);
    assertFields(await api.get(200, GET, at), table);
    assertFields(await api.get(201, PUT, at, { x: 1 }), table);
    assertFields(await api.get(201, POST, { project_id }, {}), table);
  });

  it(`[${GET} 400] [rule 1] is not read by an identifier that is none`, async () => {
    const { at } = await drawn();
    await assertMalformedIds(api, GET, at);
  });

  it(`[${GET} 404] [rule 1] is not there under another id, in another project or in none`, async () => {
    const { at } = await drawn();
    await api.get(404, GET, { ...at, drawing_id: randomUUID() });
    await api.get(404, GET, { ...at, project_id: await api.project() });
    await api.get(404, GET, { ...at, project_id: randomUUID() });
  });

  it(`[${PUT} 201] [rule 2] is updated by any subset of its fields and answered in full`, async () => {
    const { record, at } = await drawn();
    const changes: Bag[] = [{ y: 5 }, { z: 0, rotation: -90 }, { svg: '<svg></svg>' }, { x: 0, y: 0 }, {}];
    let expected = record;
    for (const change of changes) {
      expected = { ...expected, ...change };
      assert.deepEqual(await api.get(201, PUT, at, change), expected);
      assert.deepEqual(await api.get(200, GET, at), expected);
    }
  });

  it('[rule 2] keeps everything else when only x is sent', async () => {
    const { record, at } = await drawn();
    const updated = await api.get(201, PUT, at, { x: 777 });
    assert.equal(updated['x'], 777);
    assert.deepEqual(without(updated, 'x'), without(record, 'x'));
  });

  it(`[${PUT} 400] refuses malformed ids, bodies that are no object and wrong or unknown fields, and changes nothing`, async () => {
    const { record, at } = await drawn();
    await assertMalformedIds(api, PUT, at);
    await assertBrokenBodies(api, PUT, at);
    await assertWrongFields(api, PUT, at, {
      x: { x: 'left' },
      y: { y: 1.5 },
      z: { z: null },
      rotation: { rotation: 361 },
      svg: { svg: 7 },
      colour: { colour: 'red' },
    });
    assert.deepEqual(await api.get(200, GET, at), record);
  });

  it(`[${DELETE} 204] [convention 204] is gone once deleted`, async () => {
    const { at } = await drawn();
    await api.get(204, DELETE, at);
    await api.get(404, GET, at);
  });

  it(`[${DELETE} 400] is not deleted by a malformed id or with a body that is no object`, async () => {
    const { record, at } = await drawn();
    await assertMalformedIds(api, DELETE, at);
    await assertBrokenBodies(api, DELETE, at);
    assert.deepEqual(await api.get(200, GET, at), record);
  });

  it('[error 404] cannot be updated or deleted when it is unknown', async () => {
    const at = { project_id, drawing_id: randomUUID() };
    await api.get(404, PUT, at, { x: 1 });
    await api.get(404, PUT, at, {});
    await api.get(404, DELETE, at);
    await api.get(404, DELETE, { ...at, project_id: randomUUID() });
  });
});
