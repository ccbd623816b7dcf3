import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Exit, host, machineState, violation } from './desktop-host.ts';

/** A machine that the fake VMware has met, by its definition file. */
export interface FakeVmx {
  snapshots: string[];
  /** VMware Tools run in the guest. */
  tools: boolean;
}

export interface FakeVMware {
  vms: Record<string, FakeVmx>;
}

const hashOf = (vmx: string): string => createHash('sha256').update(vmx).digest('hex').slice(0, 16);
export const statusOf = (vmx: string): string => path.join(host.home, `${hashOf(vmx)}.status`);
export const controlOf = (vmx: string): string => path.join(host.home, `${hashOf(vmx)}.control`);

/** null: it does not run. */
export const stateOf = async (vmx: string): Promise<string | null> => {
  const state = await machineState(statusOf(vmx));
  return state === 'poweroff' || state === 'aborted' || state === 'saved' ? null : state;
};

/** vmrun tells errors on its standard output, and ends with -1. */
export const failure = (message: string): Exit => new Exit(255, `Error: ${message}\n`, '');

export const usage = (message: string): Exit => {
  violation(message);
  return new Exit(
    255,
    '\nvmrun version 1.17.0 build-18811642\n\nUsage: vmrun [AUTHENTICATION-FLAGS] COMMAND [PARAMETERS]\n\n',
    '',
  );
};

export const notOn = (vmx: string): Exit => failure(`The virtual machine is not powered on: ${vmx}`);

/** Values of a definition file that can be opened; keys in lower case. Throws what vmrun says of others. */
export const openVmx = (vmx: string | undefined): Map<string, string> => {
  if (vmx === undefined) throw usage('Path to vmx file is missing');
  if (!vmx.endsWith('.vmx')) throw failure(`Cannot open VM: ${vmx}, unknown file suffix`);
  if (!existsSync(vmx)) throw failure(`Cannot open VM: ${vmx}, The virtual machine cannot be found`);
  const values = new Map<string, string>();
  for (const line of readFileSync(vmx, 'utf8').split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [, key, value = ''] = /^(\S+) = "([^"]*)"$/.exec(line.trim()) ?? [];
    if (key === undefined || values.has(key.toLowerCase())) throw unreadable(vmx);
    values.set(key.toLowerCase(), value);
  }
  if (!values.has('config.version') || !values.has('virtualhw.version')) throw unreadable(vmx);
  return values;
};

const unreadable = (vmx: string): Exit =>
  failure(`Cannot open VM: ${vmx}, Cannot read the virtual machine configuration file`);
