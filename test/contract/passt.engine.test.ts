import { it } from 'node:test';
import type { EngineContext, KindNode } from '../../src/emulators/kit/contract.ts';
import { nat } from '../../src/emulators/nat/kind.ts';
import { PASST } from '../../src/emulators/nat/passt.ts';
import { processesOf } from '../../src/processes/end.ts';
import { which } from '../../src/emulators/shared/process/find-program.ts';
import { engineContract } from './engine-contract.ts';

/** Processes and attached ports. */
const outside = async ({ node_id }: KindNode, { fabric, mark }: EngineContext): Promise<string[]> => {
  const { attachments = [] } = await fabric.inventory();
  return [
    ...(await processesOf(node_id, mark)).map(({ pid, started }) => `${pid} of ${started}`),
    ...attachments.filter(({ port }) => port.node_id === node_id).map(({ port }) => `port ${port.port_number}`),
  ];
};

if ((await which('passt')) === null) {
  it('passt keeps the contract of engines', { skip: 'passt is not installed' }, () => undefined);
} else {
  engineContract('passt', {
    kind: nat,
    factory: PASST,
    given: { ports_mapping: [{}, {}] },
    outside,
    dies: {
      async how({ node_id }, _engine, { mark }) {
        // One of the two: the other goes with it.
        const passt = (await processesOf(node_id, mark)).find(({ argv }) => argv[0]?.endsWith('passt') === true);
        process.kill(passt?.pid ?? 0, 'SIGKILL');
      },
    },
  });
}
