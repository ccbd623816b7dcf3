import { it } from 'node:test';
import { simplePc } from '../../src/emulators/simple_pc/kind.ts';
import { VPCS } from '../../src/emulators/simple_pc/vpcs-engine.ts';
import { sandboxLacks } from '../../src/emulators/simple_pc/vpcs-sandbox.ts';
import { which } from '../../src/emulators/shared/process/find-program.ts';
import { engineContract } from './engine-contract.ts';
import { outside } from './outside-node.ts';

if ((await which('vpcs')) === null || (await sandboxLacks()) !== null) {
  it('vpcs keeps the contract of engines', { skip: 'vpcs, or namespaces for it, are not here' }, () => undefined);
} else {
  engineContract('vpcs', {
    kind: simplePc,
    factory: VPCS,
    outside,
    dies: {
      async how(node, _engine, { fabric }) {
        const console = await fabric.console(node.node_id);
        console.on('error', () => undefined);
        console.resume();
        console.write('quit\r');
      },
    },
  });
}
