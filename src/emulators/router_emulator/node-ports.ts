import { freePorts } from '../shared/host/free-ports.ts';

/** Ports that nodes have for themselves, from before their starts on until they have ended. */
export interface NodePorts {
  take(nodeId: string, count: number): Promise<number[]>;
  /** Ports of a node that runs already: all it has. */
  keep(nodeId: string, ports: readonly number[]): void;
  /** All that a node has; fine when it has none. */
  giveBack(nodeId: string): void;
  end(): void;
}

export const createNodePorts = (): NodePorts => {
  const taken = new Map<string, readonly number[]>();
  const giveBack = (nodeId: string): void => {
    freePorts.giveBack(taken.get(nodeId) ?? []);
    taken.delete(nodeId);
  };
  return {
    async take(nodeId, count) {
      const ports = await freePorts.take(count);
      taken.set(nodeId, [...(taken.get(nodeId) ?? []), ...ports]);
      return ports;
    },
    keep(nodeId, ports) {
      freePorts.keep(ports);
      taken.set(nodeId, ports);
    },
    giveBack,
    end() {
      for (const nodeId of [...taken.keys()]) giveBack(nodeId);
    },
  };
};
