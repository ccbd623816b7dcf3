import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Bag, startApi } from '../api/api.ts';

const api = await startApi();
const { server } = api;
after(() => api.close());

const send = async (method: string, where: string, body?: unknown): Promise<Bag> => {
  const answer = await server.request(method, where, body);
  assert.ok(answer.status < 300, `${method} ${where}: ${answer.text}`);
  return answer.body as Bag;
};

const DRAWING =
  '<svg width="40" height="20" onload="alert(1)"><script>alert(2)</script><rect width="40" height="20" fill="#ff0000"/></svg>';
/** What stands in the images of a picture, as text. */
const inner = (picture: string): string[] =>
  [...picture.matchAll(/data:image\/svg\+xml;base64,([\w+/=]+)/g)].map(([, data = '']) =>
    Buffer.from(data, 'base64').toString(),
  );
/** Without what is in images: what a browser takes as this document. */
const outer = (picture: string): string => picture.replace(/data:[^"]*/g, '');

describe('the picture of a lab', () => {
  let project = '';
  const nodes: string[] = [];
  const picture = (query = '', headers: Record<string, string> = {}) =>
    fetch(`${server.url}${project}/picture.svg${query}`, { headers });
  const text = async (query = ''): Promise<string> => (await picture(query)).text();
  before(async () => {
    project = `/v2/projects/${String((await send('POST', '/v2/projects', { name: 'a <b> & "c"' })).project_id)}`;
    await send('PUT', project, { show_interface_labels: true });
    for (const [name, x] of [
      ['PC1', 0],
      ['PC2', 300],
    ] as const) {
      const body = { name, node_type: 'simple_pc', compute_id: 'local', x, y: 0 };
      nodes.push(String((await send('POST', `${project}/nodes`, body)).node_id));
    }
    const ends = nodes.map((node_id) => ({ node_id, adapter_number: 0, port_number: 0 }));
    const link = await send('POST', `${project}/links`, { nodes: ends });
    await send('PUT', `${project}/links/${String(link.link_id)}`, {
      link_style: { color: '#00ff00', width: 4, type: 2 },
    });
  });

  it('is one SVG with its nodes, names, links and ports, and nothing from elsewhere', async () => {
    const answer = await picture();
    assert.equal(answer.headers.get('content-type'), 'image/svg+xml');
    const svg = await answer.text();
    assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="[\d.]+" height="[\d.]+" viewBox="/);
    assert.match(svg, /<title>a &#60;b&#62; &#38; &#34;c&#34;<\/title>/);
    assert.equal(svg.match(/<use /g)?.length, 2);
    assert.match(svg, />PC1<\/text>/);
    assert.equal(svg.match(/>e0<\/text>|>0\/0<\/text>/g)?.length, 2);
    assert.match(svg, /stroke="#00ff00" stroke-width="4" stroke-dasharray="16 8"/);
    assert.doesNotMatch(svg, /href="(?!#|data:)/);
    // The lines do not run through the names of ports.
    const halos = svg.match(/<text [^>]*paint-order="stroke">[^<]*/g) ?? [];
    assert.deepEqual(
      halos.map((one) => one.replace(/.*>/, '')).filter((name) => !/^(?:e0|0\/0)$/.test(name)),
      [],
    );
    assert.equal(halos.length, 2);
    // The names of the ports stand outside of their nodes.
    for (const [, x] of svg.matchAll(/<text x="([\d.-]+)"[^>]*>(?:e0|0\/0)</g))
      assert.ok(Number(x) > 65 && Number(x) < 300);
  });

  it('runs nothing of what is in drawings, and keeps apart what they name', async () => {
    const made = await send('POST', `${project}/drawings`, { svg: DRAWING, x: 10, y: 200, z: 0, rotation: 90 });
    const answer = await picture();
    const svg = await answer.text();
    assert.doesNotMatch(outer(svg), /script|onload/);
    assert.ok(
      inner(svg).some((one) => one.includes('fill="#ff0000"') && one.includes('xmlns="http://www.w3.org/2000/svg"')),
    );
    assert.match(svg, /<image x="10" y="200" width="40" height="20" transform="rotate\(90 10 200\)"/);
    assert.match(answer.headers.get('content-security-policy') ?? '', /default-src 'none'.*sandbox/);
    // What is behind is drawn first.
    assert.ok(svg.indexOf('rotate(90') < svg.indexOf('<path') && svg.indexOf('<path') < svg.indexOf('<use'));
    await send('DELETE', `${project}/drawings/${String(made.drawing_id)}`);
  });

  it('lays out the lines of a text that begins at its top', async () => {
    const svg = '<svg width="99" height="40"><text font-family="TypeWriter" font-size="10.0">one\ntwo</text></svg>';
    const made = await send('POST', `${project}/drawings`, { svg });
    const [drawn = ''] = inner(await text()).filter((one) => one.includes('>one'));
    assert.match(drawn, /font-size="10\.0pt"/);
    assert.match(drawn, /<tspan x="0" y="1\.00em">one<\/tspan><tspan x="0" y="2\.25em">two<\/tspan>/);
    await send('DELETE', `${project}/drawings/${String(made.drawing_id)}`);
  });

  it('has an ETag that changes with the lab and not without', async () => {
    const etag = (await picture()).headers.get('etag') ?? '';
    assert.equal((await picture('', { 'If-None-Match': etag })).status, 304);
    assert.notEqual((await picture('?size=thumbnail')).headers.get('etag'), etag);
    await send('PUT', `${project}/nodes/${nodes[0]}`, { x: 1 });
    const changed = await picture('', { 'If-None-Match': etag });
    assert.equal(changed.status, 200);
    const { drawing_id } = await send('POST', `${project}/drawings`, { svg: DRAWING });
    const more = (await picture()).headers.get('etag');
    await send('DELETE', `${project}/drawings/${String(drawing_id)}`);
    assert.notEqual((await picture()).headers.get('etag'), more);
  });

  it('can be small, and of an earlier moment', async () => {
    const small = await text('?size=thumbnail');
    const [, width, height] = /^<svg [^>]*width="([\d.]+)" height="([\d.]+)"/.exec(small) ?? [];
    assert.ok(Number(width) <= 320 && Number(height) <= 200);
    assert.doesNotMatch(small, /<text/);
    const { next, events } = (await send('GET', `${project}/events?limit=1000`)) as { next: unknown; events: Bag[] };
    assert.ok(next === null || next === undefined || events.length > 0);
    const first = events[0]?.position;
    assert.doesNotMatch(await text(`?at=${String(first)}`), /<use /);
  });

  it('names what is wrong', async () => {
    const wrong = await picture('?size=huge');
    assert.equal(wrong.status, 400);
    assert.match(await wrong.text(), /size/);
    const gone = await fetch(`${server.url}/v2/projects/5f2c9e0c-7d4f-4a4e-9a58-000000000000/picture.svg`);
    assert.equal(gone.status, 404);
  });
});
