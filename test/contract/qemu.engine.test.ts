import { it } from 'node:test';
import type { EngineContext, KindNode } from '../../src/emulators/kit/contract.ts';
import { machineEmulator } from '../../src/emulators/machine_emulator/kind.ts';
import { QEMU } from '../../src/emulators/machine_emulator/qemu-engine.ts';
import { processesOf } from '../../src/processes/end.ts';
import { which } from '../../src/emulators/shared/process/find-program.ts';
import { engineContract } from './engine-contract.ts';

/** Processes, attached ports and consoles. */
const outside = async ({ node_id }: KindNode, { fabric, mark }: EngineContext): Promise<string[]> => {
  const { attachments = [], consoles = [] } = await fabric.inventory();
  return [
    ...(await processesOf(node_id, mark)).map(({ pid, started }) => `${pid} of ${started}`),
    ...attachments.filter(({ port }) => port.node_id === node_id).map(({ port }) => `adapter ${port.adapter_number}`),
    ...consoles.filter((console) => console.node_id === node_id).map(({ to }) => JSON.stringify(to)),
  ];
};

const lacks = async (program: string): Promise<boolean> => (await which(program)) === null;

if (await lacks('qemu-system-x86_64')) {
  it('qemu keeps the contract of engines', { skip: 'qemu-system-x86_64 is not installed' }, () => undefined);
} else {
  // No guest: the firmware of the machine is enough to run.
  engineContract('qemu', {
    kind: machineEmulator,
    factory: QEMU,
    given: { ram: 16, adapters: 2 },
    outside,
    dies: {
      async how(node, engine) {
        const running = await engine.adopt(node, new AbortController().signal);
        process.kill(running?.started.pid ?? 0, 'SIGKILL');
      },
    },
  });
}
