import { it } from 'node:test';
import { processesOf } from '../../src/processes/end.ts';
import { routerEmulator } from '../../src/emulators/router_emulator/kind.ts';
import { noDynamips } from '../emulators/router_emulator/router-fixture.ts';
import { IMAGES } from '../emulators/router_emulator/tiny-image.ts';
import { withImage } from '../fakes/dynamips-install.ts';
import { engineContract } from './engine-contract.ts';
import { outside } from './outside-node.ts';

if (noDynamips !== false) {
  it('dynamips keeps the contract of engines', { skip: noDynamips }, () => undefined);
} else {
  const { image, idlepc } = IMAGES.mips;
  engineContract('dynamips', {
    kind: routerEmulator,
    factory: withImage('tiny.image', image),
    given: { image: 'tiny.image', idlepc, slot1: 'NM-4T', wic0: 'WIC-1T' },
    outside,
    dies: {
      async how({ node_id }, _engine, { mark }) {
        for (const { pid } of await processesOf(node_id, mark)) process.kill(pid, 'SIGSEGV');
      },
    },
  });
}
