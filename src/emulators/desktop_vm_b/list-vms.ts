import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { TopologError } from '../../common/errors.ts';
import type { KindOperation } from '../kit/contract.ts';
import { which } from '../shared/process/find-program.ts';

const INSTALL = 'install VMware Workstation or Player with VIX, so that vmrun is in the PATH';

/** Files in which the program keeps its list of machines. */
const inventories = (): string[] => {
  const home = homedir();
  if (process.platform === 'win32') {
    const roaming = path.join(process.env['APPDATA'] ?? home, 'VMware');
    return [path.join(roaming, 'inventory.vmls'), path.join(roaming, 'preferences.ini')];
  }
  return [path.join(home, '.vmware', 'inventory.vmls'), path.join(home, '.vmware', 'preferences')];
};

/** Machines of the program's own list. */
export const listVms: KindOperation = {
  method: 'GET',
  path: 'vms',
  summary: 'Machines that can be made nodes',
  code: 200,
  output: z.array(z.strictObject({ vmname: z.string(), vmx_path: z.string() })),
  async run() {
    if ((await which('vmrun')) === null)
      throw new TopologError('engine_missing', { what: 'The list of machines', needs: 'vmrun', install: INSTALL });
    const texts = await Promise.all(inventories().map((file) => readFile(file, 'utf8').catch(() => '')));
    const found = new Map<string, { vmname: string; vmx_path: string }>();
    for (const machine of texts.flatMap(machinesIn))
      found.set(machine.vmx_path, found.get(machine.vmx_path) ?? machine);
    return [...found.values()];
  },
};

/**
 * `vmlist1.config = "/machines/one.vmx"` with `vmlist1.DisplayName = "One"` of the inventory, and
 * `pref.mruVM0.filename`, `pref.mruVM0.displayName` of the preferences.
 */
export const machinesIn = (text: string): { vmname: string; vmx_path: string }[] => {
  const values = new Map(
    [...text.matchAll(/^([\w.]+)\s*=\s*"(.*)"\r?$/gm)].map(([, key = '', value = '']) => [key.toLowerCase(), value]),
  );
  return [...values].flatMap(([key, vmx_path]) => {
    const [, item] =
      /^(vmlist\d+)\.config$|^(pref\.mruvm\d+)\.filename$/.exec(key)?.filter((g) => g !== undefined) ?? [];
    if (item === undefined || !vmx_path.endsWith('.vmx')) return [];
    const named = values.get(`${item}.displayname`) ?? '';
    return [{ vmname: named === '' ? path.basename(vmx_path, '.vmx') : named, vmx_path }];
  });
};
