import { it } from 'node:test';
import type { EngineContext, KindNode } from '../../src/emulators/contract.ts';
import { processesOf } from '../../src/emulators/process/end.ts';
import { simplePc } from '../../src/emulators/simple_pc/kind.ts';
import { VPCS } from '../../src/emulators/simple_pc/vpcs-engine.ts';
import { roomLacks } from '../../src/emulators/simple_pc/vpcs-room.ts';
import { which } from '../../src/emulators/which.ts';
import { engineContract } from './engine-contract.ts';

/** Processes, the attached port and the console. */
const outside = async ({ node_id }: KindNode, { fabric, mark }: EngineContext): Promise<string[]> => {
  const { attachments = [], consoles = [] } = await fabric.inventory();
  return [
    ...(await processesOf(node_id, mark)).map(({ pid, started }) => `${pid} of ${started}`),
    ...attachments.filter(({ port }) => port.node_id === node_id).map(({ to }) => JSON.stringify(to)),
    ...consoles.filter((console) => console.node_id === node_id).map(({ to }) => JSON.stringify(to)),
  ];
};

if ((await which('vpcs')) === null || (await roomLacks()) !== null) {
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
