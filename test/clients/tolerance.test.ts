import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { once } from 'node:events';
import type { Bag } from '../api/api.ts';
import { listen } from '../support/feed-client.ts';
import { spawnServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';
import { basic, userLine } from '../support/users.ts';
import { asNode } from './gns3fy-fields.ts';
import { bag, bags, FLAGS, reads, startClient, text } from './client.ts';
import { NODE_TYPES } from './web-ui-fields.ts';

/** What existing clients get away with, one by one. */
const client = await startClient({ accept: 'application/json' }, ['--no-local']);
after(() => client.close());

const NEEDED: Readonly<Record<string, Bag>> = {
  docker: { image: 'busybox:latest' },
  dynamips: { platform: 'c3725', image: 'c3725.image', ram: 128 },
  iou: { path: 'l3.bin' },
  virtualbox: { vmname: 'a machine' },
  vmware: { vmx_path: 'one.vmx' },
  traceng: { default_destination: '169.254.1.1' },
};

let project = '';
before(async () => {
  project = `/v2/projects/${text(await client.get(201, 'POST /v2/projects', { name: 'lab' }), 'project_id')}`;
});
const addNode = (node_type: string): Promise<Bag> =>
  client.get(201, `POST ${project}/nodes`, {
    ...{ name: node_type, node_type, compute_id: 'local', properties: NEEDED[node_type] ?? {} },
  });
const at = (node: Bag): string => `${project}/nodes/${text(node, 'node_id')}`;

describe('names with slashes', () => {
  it('keep doubled ones, in reads and in writes, and no answer sends a client elsewhere', async () => {
    const node = await addNode('vpcs');
    const compute = project.replace('/v2/', '/v2/compute/');
    for (const files of [`${project}/files`, `${at(node)}/files`, `${compute}/files`]) {
      await client.send(201, `POST ${files}//a//b.txt`, files);
      for (const name of ['a/b.txt', '/a/b.txt', '/a//b.txt', './a/b.txt', 'a%2Fb.txt'])
        assert.equal((await client.send(200, `GET ${files}/${name}`)).text, files, name);
    }
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"></svg>';
    await client.send(204, 'POST /v2/symbols//symbols/own.svg/raw', svg);
    for (const name of ['/symbols/own.svg', ':/symbols/own.svg', 'own.svg'])
      assert.equal((await client.send(200, `GET /v2/symbols/${name}/raw`)).text, svg, name);
    for (const [code, images] of [
      [204, '/v2/compute/qemu/images'],
      [200, '/v2/computes/local/qemu/images'],
    ] as const) {
      await client.send(code, `POST ${images}//sub//one-${code}.img`, Buffer.alloc(8, code));
      assert.deepEqual((await client.send(200, `GET ${images}/sub/one-${code}.img`)).bytes, Buffer.alloc(8, code));
    }
  });

  it('lead out of nowhere all the same', async () => {
    for (const name of ['..%2F..%2Fetc/passwd', '/../x', 'a/..//../../x'])
      assert.notEqual((await fetch(`${client.url}${project}/files/${encodeURIComponent(name)}`)).status, 200, name);
  });
});

describe('a body', () => {
  it('that is missing or empty is {}, whatever its type says', async () => {
    const node = await addNode('vpcs');
    const calls: [number, string][] = [
      [200, `POST ${at(node)}/start`],
      [200, `POST ${at(node)}/reload`],
      [200, `POST ${at(node)}/stop`],
      [200, `PUT ${at(node)}`],
      [200, `PUT ${project}`],
      [204, `POST ${project}/nodes/start`],
      [204, `POST ${project}/nodes/stop`],
      [204, `POST ${project}/nodes/console/reset`],
      [201, `POST ${project}/drawings`],
      [201, `POST ${project}/open`],
      [204, `POST ${project}/close`],
      [201, `POST ${project}/open`],
    ];
    for (const [code, call] of calls)
      for (const type of [undefined, 'application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
        const [method = '', where = ''] = call.split(' ');
        const headers = type === undefined ? {} : { 'content-type': type };
        const answer = await fetch(`${client.url}${where}`, { method, headers, ...(type ? { body: '' } : {}) });
        assert.equal(answer.status, code, `${call} as ${String(type)}: ${await answer.text()}`);
      }
  });

  it('that is a form is the archive in it, or the image, or the symbol', async () => {
    const { bytes } = await client.send(200, `GET ${project}/export`);
    const form = (content: Buffer, name: string): FormData => {
      const made = new FormData();
      made.append('comment', 'not this');
      made.append('file', new Blob([content]), name);
      return made;
    };
    const sends: [number, string, FormData][] = [
      [201, `/v2/projects/${randomUUID()}/import?name=form`, form(bytes, 'lab.gns3project')],
      [204, '/v2/compute/qemu/images/form.img', form(Buffer.alloc(9, 1), 'form.img')],
      [204, '/v2/symbols/form.svg/raw', form(Buffer.from('<svg width="5" height="6"></svg>'), 'form.svg')],
    ];
    for (const [code, where, body] of sends) {
      const answer = await fetch(`${client.url}${where}`, { method: 'POST', body });
      assert.equal(answer.status, code, `${where}: ${await answer.text()}`);
    }
    assert.deepEqual((await client.send(200, 'GET /v2/compute/qemu/images/form.img')).bytes, Buffer.alloc(9, 1));
    assert.deepEqual(await client.get(200, 'GET /v2/symbols/form.svg/dimensions'), { width: 5, height: 6 });
  });
});

describe('labels', () => {
  it('at fractions of a pixel are rounded, those of nodes and of links', async () => {
    const pcs = [await addNode('vpcs'), await addNode('vpcs')];
    const label = { text: 'x', style: 'font-size: 10', x: 10.5, y: -0.2, rotation: 0 };
    const node = await client.get(200, `PUT ${at(pcs[0] ?? {})}`, { label });
    assert.deepEqual([bag(node['label'])['x'], bag(node['label'])['y']], [11, 0]);
    const nodes = pcs.map(({ node_id }) => ({ node_id, adapter_number: 0, port_number: 0, label }));
    const link = await client.get(201, `POST ${project}/links`, { nodes });
    for (const end of bags(link['nodes'])) assert.deepEqual(end['label'], { ...label, x: 11, y: 0 });
  });
});

describe('a node of each kind', () => {
  for (const type of NODE_TYPES)
    it(`answers with the state that it has reached, and is put back as it was read: ${type}`, async () => {
      const node = await addNode(type);
      for (const [action, expected] of [
        ['start', 'started'],
        ['suspend', null],
        ['start', 'started'],
        ['stop', null],
      ] as const) {
        const answered = asNode(await client.get(200, `POST ${at(node)}/${action}`));
        const read = asNode(await client.get(200, `GET ${at(node)}`));
        assert.equal(answered['status'], read['status'], action);
        if (expected !== null) assert.equal(answered['status'], expected);
        assert.deepEqual(await client.get(200, `PUT ${at(node)}`, read), read);
      }
    });
});

describe('a failure', () => {
  it('is JSON with status and message, also where no operation is, and where this server is not the local one', async () => {
    const unknown = randomUUID();
    const calls: [number, string, string?][] = [
      [404, 'GET /v2'],
      [404, 'GET /nowhere/at/all'],
      [405, 'DELETE /v2/projects'],
      [405, 'PATCH /v2/version'],
      [404, `GET /v2/projects/${unknown}`],
      [404, `POST ${project}/templates/${unknown}`, '{"x":0,"y":0}'],
      [400, `POST ${project}/drawings`, '{'],
      [400, `POST ${project}/nodes`, '{}'],
      [403, 'POST /v2/projects/load', '{"path":"/tmp/x.gns3"}'],
      [403, 'POST /v2/shutdown'],
      [403, 'POST /v2/debug'],
      [409, 'POST /v2/version', '{"version":"2.1.0"}'],
      [400, `GET /v2/projects/${unknown.slice(1)}`],
    ];
    for (const [code, call, body] of calls) {
      const { text: sent, headers } = await client.send(code, call, body);
      assert.equal(headers.get('content-type'), 'application/json', call);
      const error = JSON.parse(sent) as Bag;
      reads(error, { message: 'string', status: 'integer' });
      assert.equal(error['status'], code, call);
    }
  });
});

describe('a server with users', () => {
  it('lets the feeds and consoles of a browser through that has the password, from its own page and an allowed one', async () => {
    const dir = await tempDir();
    const users = path.join(dir.path, 'users');
    await writeFile(users, userLine('ann', 'secret'), { mode: 0o600 });
    const page = 'http://lab.example.org';
    const server = await spawnServer(path.join(dir.path, 'data'), [...FLAGS, '--users', users, '--allow-origin', page]);
    try {
      const auth = basic('ann', 'secret');
      const ask = (method: string, where: string, headers: Record<string, string>, body?: object): Promise<Response> =>
        fetch(`${server.url}${where}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
      const refused = await ask('GET', '/v2/version', {});
      assert.deepEqual([refused.status, ((await refused.json()) as Bag)['status']], [401, 401]);
      assert.match(refused.headers.get('www-authenticate') ?? '', /^Basic /);
      const made = (await (await ask('POST', '/v2/projects', auth, { name: 'lab' })).json()) as Bag;
      const feed = `/v2/projects/${text(made, 'project_id')}/notifications/ws`;
      for (const origin of [server.url, page]) {
        const listener = await listen(server.url, feed, { ...auth, origin });
        await listener.next('ping');
        await listener.close();
      }
      const socket = new WebSocket(`${server.url.replace('http', 'ws')}${feed}`, { origin: page });
      socket.on('error', () => undefined);
      const [, answer] = (await once(socket, 'unexpected-response')) as [
        unknown,
        { statusCode: number; resume(): void },
      ];
      assert.equal(answer.statusCode, 401);
      answer.resume();
    } finally {
      await server.kill('SIGTERM');
      await dir.remove();
    }
  });
});
