import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { EVERY_KIND, type Gns3Lab, gns3Lab } from './gns3-lab.ts';

describe('nodes at a GNS3 server', () => {
  let lab: Gns3Lab;
  before(async () => (lab = await gns3Lab()));
  after(() => lab.close());

  for (const [kind, { properties = {}, image }] of Object.entries(EVERY_KIND))
    it(`of the kind ${kind} are made, changed, started, stopped and deleted`, async () => {
      const { fake } = lab;
      if (image !== undefined) fake.lab.imagesOf(image[0]).set(image[1], Buffer.from('an image'));
      const node = await lab.node(kind, { properties });
      const there = fake.node(String(node['node_id']));
      assert.ok(there, JSON.stringify(await lab.events('warning.raised')));
      assert.equal(there.name, node['name']);
      assert.equal(there.project_id, lab.project);
      for (const [key, value] of Object.entries(properties))
        if (key in there.settings) assert.deepEqual(there.settings[key], value, key);

      const path = `/projects/${lab.project}/nodes/${String(node['node_id'])}`;
      await lab.ask(200, 'PUT', path, { name: `${String(node['name'])}b` });
      assert.equal(there.name, `${String(node['name'])}b`);

      const always = there.kind.always;
      if (there.kind.start === 409) {
        assert.match(String((await lab.act(409, node, 'start'))['message']), /runs on Windows only/);
        await lab.ask(204, 'DELETE', path);
        assert.equal(fake.node(there.node_id), undefined);
        return;
      }
      assert.equal((await lab.act(200, node, 'start'))['status'], 'started');
      assert.equal(there.status, 'started');
      assert.equal((await lab.read(node))['console'], there.console_type === 'none' ? null : there.console);
      if (!always) {
        await lab.act(200, node, 'reload');
        assert.equal((await lab.read(node))['status'], 'started');
      }
      await lab.act(200, node, 'stop');
      assert.equal((await lab.read(node))['status'], 'stopped');
      assert.equal(there.status, always ? 'started' : 'stopped');
      await lab.ask(204, 'DELETE', path);
      assert.equal(fake.node(there.node_id), undefined);
    });
});
