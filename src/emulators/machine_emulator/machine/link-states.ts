import type { EngineContext, FabricEvent } from '../../kit/contract.ts';
import type { Machine } from './machine.ts';

/** Shows guests whether their adapters lead anywhere: a port without a cable, or with a suspended one, has its cable pulled. */
export interface LinkStates {
  /** Follows what the fabric tells of ports; to be called before one is attached. */
  listen(): void;
  /** Sets all cables of a machine; all are plugged in when its guest is not to see the links. */
  apply(nodeId: string, machine: Machine): Promise<void>;
  forget(nodeId: string): void;
}

export const watchLinks = (
  { fabric }: EngineContext,
  machineOf: (nodeId: string) => Machine | undefined,
): LinkStates => {
  /** By node and adapter. */
  const states = new Map<string, Map<number, boolean>>();
  let listening = false;
  const hear = (event: FabricEvent): void => {
    if (event.type !== 'port.carrier') return;
    const { node_id, adapter_number } = event.port;
    const adapters = states.get(node_id) ?? new Map<number, boolean>();
    states.set(node_id, adapters.set(adapter_number, event.up));
    const machine = machineOf(node_id);
    if (machine?.replicates === true) void setLink(machine, adapter_number, event.up);
  };
  return {
    listen() {
      if (!listening) fabric.onEvent(hear);
      listening = true;
    },
    async apply(nodeId, machine) {
      const links = [...(states.get(nodeId) ?? [])];
      await Promise.all(links.map(([adapter, up]) => setLink(machine, adapter, up || !machine.replicates)));
    },
    forget: (nodeId) => void states.delete(nodeId),
  };
};

/** An adapter that cannot have its cable pulled keeps it. */
const setLink = async ({ qmp, adapters }: Machine, adapter: number, up: boolean): Promise<void> => {
  await qmp.execute('set_link', { name: adapters.get(adapter) ?? '', up }).catch(() => undefined);
};
