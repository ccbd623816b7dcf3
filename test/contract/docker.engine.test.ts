import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { EngineContext, KindNode } from '../../src/emulators/kit/contract.ts';
import { containersOf, endContainer, inspect } from '../../src/emulators/container/containers.ts';
import { DOCKER } from '../../src/emulators/container/docker-engine.ts';
import { container } from '../../src/emulators/container/kind.ts';
import { openService } from '../../src/emulators/container/service.ts';
import { processesOf } from '../../src/processes/end.ts';
import { networkOf, type Podman, podmanLacks, startPodman } from '../support/podman.ts';
import { engineContract } from './engine-contract.ts';

const lacks = await podmanLacks();
/** Ends when it is asked to, as a shell does not. */
const COMMAND = `sh -c 'trap "exit 0" TERM; while :; do sleep 1 & wait $!; done'`;

describe('docker keeps the contract of engines', { skip: lacks ?? false }, () => {
  let podman: Podman | null = null;
  const service = () => openService(podman?.socket ?? '');
  before(async () => {
    podman = await startPodman();
  });
  after(async () => {
    await podman?.close();
  });

  /** Containers, namespaces, processes, attached ports and consoles. */
  const outside = async (node: KindNode, { fabric, mark }: EngineContext): Promise<string[]> => {
    const { node_id } = node;
    const { attachments = [], consoles = [] } = await fabric.inventory();
    return [
      ...(await containersOf(service(), node_id, mark)),
      ...(await networkOf(node, mark)),
      ...(await processesOf(node_id, mark)).map(({ pid, started }) => `${pid} of ${started}`),
      ...attachments.filter(({ port }) => port.node_id === node_id).map(({ port }) => `adapter ${port.adapter_number}`),
      ...consoles.filter((console) => console.node_id === node_id).map(({ to }) => JSON.stringify(to)),
    ];
  };

  engineContract('docker', {
    kind: container,
    factory: {
      name: 'docker',
      create: (context) =>
        DOCKER.create({ ...context, kindOptions: { 'docker-host': `unix://${podman?.socket ?? ''}` } }),
    },
    given: { image: 'localhost/topolog-busybox:latest', adapters: 2, start_command: COMMAND },
    outside,
    dies: {
      async how(node, engine) {
        const running = await engine.adopt(node, new AbortController().signal);
        process.kill(running?.started.pid ?? 0, 'SIGKILL');
      },
    },
  });

  it('leaves no container', async () => {
    const all = await service().call<unknown[]>('GET', '/containers/json', { query: { all: true } });
    assert.deepEqual(all, []);
    assert.equal(await inspect(service(), 'nothing'), null);
    await endContainer(service(), 'nothing');
  });
});
