import type { EngineFactory } from '../contract.ts';
import { DesktopEngine } from '../desktop-vm/desktop-engine.ts';
import { VirtualBox } from './virtualbox.ts';

/** Runs machines of VirtualBox. */
export const VIRTUALBOX: EngineFactory = {
  name: 'virtualbox',
  create: (context) => new DesktopEngine(context, new VirtualBox(context)),
};
