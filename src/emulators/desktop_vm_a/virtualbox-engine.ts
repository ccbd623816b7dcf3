import type { EngineFactory } from '../kit/contract.ts';
import { DesktopEngine } from '../shared/desktop-vm/desktop-engine.ts';
import { VirtualBox } from './virtualbox.ts';

/** Runs machines of VirtualBox. */
export const VIRTUALBOX: EngineFactory = {
  name: 'virtualbox',
  create: (context) => new DesktopEngine(context, new VirtualBox(context)),
};
