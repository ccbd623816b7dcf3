import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createKindNames } from '../../src/http/kind-names.ts';
import { fakeLab, kinds, NODE, PROJECT, serve } from './fake-lab.ts';

describe('names of kinds', () => {
  const names = createKindNames(kinds, 'neutral');

  it('are translated in the place of the kind and nowhere else', () => {
    const base = `/v2/compute/projects/${PROJECT}`;
    const rewritten: [string, string][] = [
      [`${base}/vpcs/nodes`, `${base}/simple_pc/nodes`],
      [`${base}/qemu/nodes?vpcs=/vpcs/`, `${base}/machine_emulator/nodes?vpcs=/vpcs/`],
      [`${base}/vpcs/nodes/vpcs/vpcs/nodes`, `${base}/simple_pc/nodes/vpcs/vpcs/nodes`],
      [`${base}/nat/nodes`, `${base}/nat/nodes`],
    ];
    for (const [url, expected] of rewritten) assert.equal(names.rewrite(url), expected);
    const kept = [
      '/v2/projects/vpcs/nodes',
      `${base}/ports/udp`,
      `${base}/vpcs`,
      `${base}/vpcs/files`,
      '/v2/compute/projects/vpcs/nodes',
      '',
    ];
    for (const url of kept) assert.equal(names.rewrite(url), url);
  });

  it('never change a URL outside that place', () => {
    fc.assert(
      fc.property(fc.webPath(), (path) => {
        assert.equal(names.rewrite(path), path);
      }),
    );
  });

  it('go out as configured: tokens, or the names existing tools use', async () => {
    const read = async (over: object) => {
      const app = serve(fakeLab(), over);
      const node = await app.inject(`/v2/projects/${PROJECT}/nodes/${NODE}`);
      const computes = await app.inject('/v2/computes/local');
      await app.close();
      const { capabilities } = computes.json<{ capabilities: { node_types: string[] } }>();
      return [node.json<{ node_type: string }>().node_type, capabilities.node_types.includes('qemu')];
    };
    assert.deepEqual(await read({}), ['simple_pc', false]);
    assert.deepEqual(await read({ names: 'gns3' }), ['vpcs', true]);
  });
});
