import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import type { EngineContext, KindNode } from '../../src/emulators/contract.ts';
import { processesOf } from '../../src/emulators/process/end.ts';
import { routerEmulator } from '../../src/emulators/router_emulator/kind.ts';
import { installFakeDynamips, withImage } from '../fakes/dynamips-install.ts';
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

const directory = mkdtempSync(path.join(tmpdir(), 'topolog-dynamips-'));
const uninstall = installFakeDynamips(directory);
after(() => {
  uninstall();
  rmSync(directory, { recursive: true, force: true });
});

engineContract('dynamips, against a stand-in of the program', {
  kind: routerEmulator,
  factory: withImage('c3725.image'),
  given: { slot1: 'NM-4T', wic0: 'WIC-1T' },
  outside,
  dies: {
    async how(node, _engine, { fabric }) {
      const console = await fabric.console(node.node_id);
      console.on('error', () => undefined);
      console.resume();
      console.write('test crash\r');
    },
  },
});
