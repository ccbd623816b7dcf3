import type { EngineFactory } from '../kit/contract.ts';
import { DesktopEngine } from '../shared/desktop-vm/desktop-engine.ts';
import { VMware } from './vmware.ts';

/** Runs machines of VMware Workstation, Player and Fusion. */
export const VMWARE: EngineFactory = {
  name: 'vmware',
  create: (context) => new DesktopEngine(context, new VMware(context)),
};
