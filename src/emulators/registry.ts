import { atmSwitch } from './atm_switch/kind.ts';
import { cloud } from './cloud/kind.ts';
import { container } from './container/kind.ts';
import type { Kind } from './kit/contract.ts';
import { desktopVmA } from './desktop_vm_a/kind.ts';
import { desktopVmB } from './desktop_vm_b/kind.ts';
import { ethernetHub } from './ethernet_hub/kind.ts';
import { ethernetSwitch } from './ethernet_switch/kind.ts';
import { frameRelaySwitch } from './frame_relay_switch/kind.ts';
import { machineEmulator } from './machine_emulator/kind.ts';
import { nat } from './nat/kind.ts';
import { routerEmulator } from './router_emulator/kind.ts';
import { simplePc } from './simple_pc/kind.ts';
import { simpleRouter } from './simple_router/kind.ts';
import { switchRouterEmulator } from './switch_router_emulator/kind.ts';
import { traceTool } from './trace_tool/kind.ts';

/** Every kind of node there is. */
export interface Kinds {
  get(nameOrAlias: string): Kind | undefined;
  all(): readonly Kind[];
}

const KINDS = [
  simplePc,
  ethernetSwitch,
  ethernetHub,
  frameRelaySwitch,
  atmSwitch,
  traceTool,
  nat,
  cloud,
  machineEmulator,
  container,
  routerEmulator,
  switchRouterEmulator,
  desktopVmA,
  desktopVmB,
  // Last, behind the kinds that existing tools know: a tool that cannot tell a kind takes the first one.
  simpleRouter,
];

/** Throws when two kinds claim one name. */
export const createKinds = (kinds: readonly Kind[] = KINDS): Kinds => {
  const byName = new Map<string, Kind>();
  for (const kind of kinds) {
    for (const name of new Set([kind.name, kind.alias])) {
      const other = byName.get(name);
      if (other !== undefined) throw new Error(`The kinds ${other.name} and ${kind.name} are both called ${name}`);
      byName.set(name, kind);
    }
  }
  return { get: (name) => byName.get(name), all: () => kinds };
};
