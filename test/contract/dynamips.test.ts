import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { routerEmulator } from '../../src/emulators/router_emulator/kind.ts';
import { installFakeDynamips, withImage } from '../fakes/dynamips-install.ts';
import { engineContract } from './engine-contract.ts';
import { outside } from './outside-node.ts';

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
