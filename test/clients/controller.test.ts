import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import type { Bag } from '../api/api.ts';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { freePort } from '../support/free-port.ts';
import { startClient, text } from './client.ts';

/**
 * A controller of the existing server that has this one as a compute, call by call. It sends `application/json` with every call, leaves
 * empty bodies out, and makes every node anew when it opens a project.
 */
const client = await startClient({ accept: '*/*', 'accept-encoding': 'gzip, deflate' });
after(() => client.close());

const C = '/v2/compute';
const UDP = { type: 'nio_udp', rhost: '127.0.0.1', filters: {}, suspend: false };
const newProject = async (name: string): Promise<string> => {
  const project_id = randomUUID();
  const made = await client.get(201, `POST ${C}/projects`, { name, project_id });
  assert.deepEqual(Object.keys(made).sort(), ['name', 'project_id', 'variables']);
  return `${C}/projects/${project_id}`;
};
const idOf = (project: string): string => project.split('/').at(-1) ?? '';

describe('a controller', () => {
  it('connects: it breaks on a key that it does not know', async () => {
    const capabilities = await client.get(200, `GET ${C}/capabilities`);
    assert.deepEqual(Object.keys(capabilities).sort(), ['node_types', 'platform', 'version']);
    assert.equal(capabilities['version'], '2.2.60');
  });

  it('makes nodes and a link, closes the project, and opens it again with the nodes as it knows them', async () => {
    const project = await newProject('lab');
    assert.equal(
      (await client.get(201, `POST ${C}/projects`, { name: 'lab', project_id: idOf(project) }))['name'],
      'lab',
    );
    const pc = { name: 'PC1', node_id: randomUUID() };
    const first = await client.get(201, `POST ${project}/vpcs/nodes`, pc);
    await client.get(201, `POST ${project}/ethernet_switch/nodes`, { name: 'SW1', node_id: randomUUID() });
    const port = `${project}/vpcs/nodes/${pc.node_id}/adapters/0/ports/0`;
    const { udp_port: lport } = await client.get(201, `POST ${project}/ports/udp`);
    await client.get(201, `POST ${port}/nio`, { ...UDP, lport, rport: await freePort() });
    assert.equal((await client.get(200, `POST ${project}/vpcs/nodes/${pc.node_id}/start`))['status'], 'started');
    await client.send(204, `POST ${project}/vpcs/nodes/${pc.node_id}/stop`);
    await client.send(204, `POST ${project}/close`);

    await client.get(201, `POST ${C}/projects`, { name: 'lab', project_id: idOf(project) });
    const body = { ...pc, name: 'PC one', console: first['console'], console_type: 'telnet' };
    const again = await client.get(201, `POST ${project}/vpcs/nodes`, body);
    assert.deepEqual(again, { ...first, name: 'PC one', command_line: again['command_line'] });
    // The link's end of before is still there.
    const rport = await freePort();
    const other = await client.get(201, `POST ${project}/ports/udp`);
    const nio = await client.get(201, `POST ${port}/nio`, { ...UDP, lport: other['udp_port'], rport });
    assert.deepEqual([nio['lport'], nio['rport']], [other['udp_port'], rport]);
    await client.send(204, `DELETE ${port}/nio`);
    await client.send(404, `DELETE ${port}/nio`);
  });

  it('comes back after its crash: a node that runs is answered as it is', async () => {
    const project = await newProject('crash');
    const pc = { name: 'PC1', node_id: randomUUID() };
    await client.get(201, `POST ${project}/vpcs/nodes`, pc);
    const started = await client.get(200, `POST ${project}/vpcs/nodes/${pc.node_id}/start`);
    assert.deepEqual(await client.get(201, `POST ${project}/vpcs/nodes`, pc), started);
    const none = { ...pc, console_type: 'none' };
    assert.deepEqual(await client.get(201, `POST ${project}/vpcs/nodes`, none), started);
    // The node of another project is another thing.
    await client.send(409, `POST ${await newProject('other')}/vpcs/nodes`, pc);
  });

  it('wishes for console ports', async () => {
    const taken = await freePort();
    const holder = createServer().listen(taken, '127.0.0.1');
    await once(holder, 'listening');
    const project = await newProject('consoles');
    const one = await client.get(201, `POST ${project}/vpcs/nodes`, { name: 'A', console: await freePort() });
    for (const console of [one['console'], taken]) {
      const { console: got } = await client.get(201, `POST ${project}/vpcs/nodes`, {
        name: `B${String(console)}`,
        console,
      });
      assert.equal(typeof got, 'number');
      assert.notEqual(got, console);
    }
    holder.close();
  });

  it('has projects of names that others have too', async () => {
    const [one, two] = [await newProject('same'), await newProject('same')];
    assert.equal((await client.get(200, `GET ${one}`))['name'], 'same');
    assert.equal((await client.get(200, `GET ${two}`))['name'], 'same-1');
  });

  it('is told of an image that is missing in words by which it sends it, and asks again', async () => {
    const project = await newProject('images');
    const vm = { name: 'VM1', node_id: randomUUID(), hda_disk_image: 'small.img' };
    const refused = await client.get(409, `POST ${project}/qemu/nodes`, vm);
    assert.deepEqual([refused['exception'], refused['image']], ['ImageMissingError', 'small.img']);
    await client.send(404, `GET ${project}/qemu/nodes/${vm.node_id}`);
    await client.send(204, `POST ${C}/qemu/images/small.img`, Buffer.alloc(512));
    const made = await client.get(201, `POST ${project}/qemu/nodes`, vm);
    assert.deepEqual([text(made, 'node_id'), made['hda_disk_image']], [vm.node_id, 'small.img']);
  });

  it('deletes what it made', async () => {
    const projects = await client.list(200, `GET ${C}/projects`);
    for (const { project_id } of projects as readonly Bag[]) {
      await client.send(204, `DELETE ${C}/projects/${String(project_id)}`);
      await client.send(404, `DELETE ${C}/projects/${String(project_id)}`);
    }
  });
});
