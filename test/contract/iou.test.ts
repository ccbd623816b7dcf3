import { it } from 'node:test';
import type { EngineContext, KindNode } from '../../src/emulators/kit/contract.ts';
import { processesOf } from '../../src/processes/end.ts';
import { IOU } from '../../src/emulators/switch_router_emulator/iou-engine.ts';
import { switchRouterEmulator } from '../../src/emulators/switch_router_emulator/kind.ts';
import { installImage } from '../fakes/iou-image.ts';
import { cannotRunIou } from '../fakes/iou-here.ts';
import { engineContract } from './engine-contract.ts';

/** Processes, the attached ports and the console. */
const outside = async ({ node_id }: KindNode, { fabric, mark }: EngineContext): Promise<string[]> => {
  const { attachments = [], consoles = [] } = await fabric.inventory();
  return [
    ...(await processesOf(node_id, mark)).map(({ pid, started }) => `${pid} of ${started}`),
    ...attachments.filter(({ port }) => port.node_id === node_id).map(({ to }) => JSON.stringify(to)),
    ...consoles.filter((console) => console.node_id === node_id).map(({ to }) => JSON.stringify(to)),
  ];
};

const why = await cannotRunIou();
if (why !== null) {
  it('iou keeps the contract of engines', { skip: why }, () => undefined);
} else {
  engineContract('iou', {
    kind: switchRouterEmulator,
    given: { path: 'l3.bin', ethernet_adapters: 1, serial_adapters: 1 },
    factory: {
      name: 'iou',
      create(context) {
        installImage(context.filesDir);
        return IOU.create(context);
      },
    },
    outside,
    dies: {
      // The bystander has the id that all samples have.
      given: { application_id: 7 },
      async how(node, _engine, { fabric }) {
        const console = await fabric.console(node.node_id);
        console.on('error', () => undefined);
        console.resume();
        console.write('quit\r');
      },
    },
  });
}
