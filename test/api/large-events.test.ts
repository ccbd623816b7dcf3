import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type TestServer, testServer } from '../support/server.ts';

const CHANGES = 14;
const MIB = 1 << 20;

interface Page {
  events: { type: string; position: number; causes?: unknown[] }[];
  next: number | null;
}

describe('events that are large', () => {
  let server: TestServer;
  let project = '';
  let drawing = '';
  before(async () => {
    server = await testServer();
    const made = await server.request('POST', '/v2/projects', { name: 'large' });
    project = `/v2/projects/${(made.body as { project_id: string }).project_id}`;
    const svg = (n: number): string => `<svg><text>${String(n).repeat(900_000)}</text></svg>`;
    const { body } = await server.request('POST', `${project}/drawings`, { svg: svg(0) });
    drawing = `${project}/drawings/${(body as { drawing_id: string }).drawing_id}`;
    for (let n = 1; n < CHANGES; n++)
      assert.equal((await server.request('PUT', drawing, { svg: svg(n % 10) })).status, 201);
  });
  after(() => server.close());

  const pages = async (where: string): Promise<Page[]> => {
    const found: Page[] = [];
    for (let from: number | null = 1; from !== null;) {
      const { status, body } = await server.request('GET', `${where}?limit=1000&from=${from}`);
      assert.equal(status, 200);
      found.push(body as Page);
      from = (body as Page).next;
    }
    return found;
  };

  for (const [what, where] of [
    ['the whole server', () => '/v2/events'],
    ['a project', () => `${project}/events`],
    ['a drawing', () => `${drawing}/history`],
  ] as const)
    it(`come in pages of some MiB: of ${what}`, async () => {
      const found = await pages(where());
      const sizes = found.map((page) => JSON.stringify(page).length);
      assert.ok(found.length > 1 && sizes.every((size) => size < 12 * MIB), sizes.join());
      const events = found.flatMap((page) => page.events).filter(({ type }) => type.startsWith('drawing.'));
      assert.equal(events.length, CHANGES);
      assert.equal(new Set(events.map(({ position }) => position)).size, CHANGES);
      // As lines they come all at once.
      const lines = await server.request('GET', where(), undefined, { accept: 'application/x-ndjson' });
      assert.equal(lines.text.split('\n').filter((line) => line.includes('"type":"drawing.')).length, CHANGES);
    });
});
