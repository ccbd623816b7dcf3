import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before } from 'node:test';
import type { Engine, EngineContext, KindNode, Properties, Started } from '../../../src/emulators/kit/contract.ts';
import { endProcesses } from '../../../src/processes/end.ts';
import { findMarked, markOf } from '../../../src/processes/marker.ts';
import { DYNAMIPS } from '../../../src/emulators/router_emulator/dynamips-engine.ts';
import { routerEmulator } from '../../../src/emulators/router_emulator/kind.ts';
import { which } from '../../../src/emulators/shared/process/find-program.ts';
import { type FabricFixture, fabricFixture } from '../../contract/fabric-fixture.ts';
import { installFakeDynamips, putImage } from '../../fakes/dynamips-install.ts';
import { openConsole } from '../../support/console.ts';
import { nodeOf } from '../sample.ts';

/** For `skip` of what the program itself has to run. */
export const noDynamips = (await which('dynamips')) === null ? 'dynamips is not installed' : false;

export const never = new AbortController().signal;

export interface Router extends KindNode {
  node_directory: string;
}

/** The engine with a fabric of its own, its program and an image `c3725.image`, for the tests of a file. */
export interface RouterFixture {
  directory: string;
  context: EngineContext;
  engine: Engine;
  start(node: KindNode): Promise<Started>;
  stop(node: KindNode): Promise<void>;
  /** A router with a directory, number 5 unless said otherwise. */
  router(given?: Properties): Promise<Router>;
  /** As the engine of a server that was restarted. */
  renew(): Promise<void>;
  /** Takes the program away until it is called again. */
  toggleProgram(): void;
}

/** Without `real` it is the stand-in that runs. */
export const routerFixture = ({ real = false } = {}): RouterFixture => {
  let fabric: FabricFixture;
  let uninstall: (() => void) | null = null;
  const toggleProgram = (): void => {
    if (uninstall === null) uninstall = installFakeDynamips(it.directory);
    else {
      uninstall();
      uninstall = null;
    }
  };
  const it = {
    toggleProgram,
    start: (node) => it.engine.start(node, {}, never),
    stop: (node) => it.engine.stop(node, never),
    async router(given = {}) {
      const node_id = randomUUID();
      const node_directory = path.join(it.directory, node_id);
      await mkdir(path.join(node_directory, 'configs'), { recursive: true });
      const node = nodeOf(routerEmulator, { dynamips_id: 5, ...given }, { node_id, name: 'R1', node_directory });
      return { ...node, node_directory };
    },
    async renew() {
      await it.engine.close();
      it.engine = DYNAMIPS.create(it.context);
    },
  } as RouterFixture;

  before(async () => {
    fabric = await fabricFixture();
    it.directory = fabric.directory;
    if (!real) toggleProgram();
    it.context = {
      fabric: await fabric.connect(),
      consoles: { host: '127.0.0.1', range: [21_000, 21_999] },
      mark: await markOf(fabric.directory),
      dataDir: fabric.directory,
      filesDir: fabric.directory,
    };
    putImage(fabric.directory, 'c3725.image');
    it.engine = DYNAMIPS.create(it.context);
  });
  after(async () => {
    await it.engine.close();
    uninstall?.();
    // Of tests that failed: they would outlive this process.
    const left = await findMarked(it.context.mark);
    await endProcesses(left);
    await fabric.close();
    assert.deepEqual(left, []);
  });
  return it;
};

export const configOf = ({ node_directory }: Router, name = 'startup', id = 5): string =>
  path.join(node_directory, 'configs', `i${id}_${name}-config.cfg`);

/** Makes the stand-in fail: see test/fakes/dynamips.ts. */
export const fault = (node: Router, faults: object): Promise<void> =>
  writeFile(path.join(node.node_directory, 'fake-dynamips.json'), JSON.stringify(faults));

/** Commands that hypervisors of the router were told so far. */
export const told = async (node: Router): Promise<string[]> => {
  const log = await readFile(path.join(node.node_directory, 'dynamips_log.txt'), 'utf8');
  return [...log.matchAll(/exec_cmd: (.*)/g)].map(([, words = '[]']) => (JSON.parse(words) as string[]).join(' '));
};

/** Types a line at a console; resolves with what came once `until` is in it. */
export const typed = async (port: number | null, line: string, until: RegExp): Promise<string> => {
  const console = await openConsole(port ?? 0);
  try {
    // What is typed before the fabric has connected is lost.
    await console.until(/Press ENTER/);
    return await console.type(line, until);
  } finally {
    console.close();
  }
};
