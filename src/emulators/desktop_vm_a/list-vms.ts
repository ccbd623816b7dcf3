import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { z } from 'zod';
import { engineFailed, messageOf, TopologError } from '../../common/errors.ts';
import type { KindOperation } from '../kit/contract.ts';
import { which } from '../shared/process/find-program.ts';

const WHAT = 'The list of machines';
const INSTALL = 'install VirtualBox from virtualbox.org, so that VBoxManage is in the PATH';
/** Milliseconds; its service is started with the first question. */
const PATIENCE = 20_000;

/** Machines that VirtualBox knows; those without a name are broken, and left out. RAM in megabytes. */
export const listVms: KindOperation = {
  method: 'GET',
  path: 'vms',
  summary: 'Machines that can be made nodes',
  code: 200,
  output: z.array(z.strictObject({ vmname: z.string(), ram: z.int() })),
  async run(_args, _context, signal) {
    const program = await which('VBoxManage');
    if (program === null)
      throw new TopologError('engine_missing', { what: WHAT, needs: 'VBoxManage', install: INSTALL });
    const ask = async (...args: string[]): Promise<string> => {
      try {
        const { stdout } = await promisify(execFile)(program, args, { signal, timeout: PATIENCE });
        return stdout;
      } catch (error) {
        signal.throwIfAborted();
        throw engineFailed(WHAT, messageOf(error));
      }
    };
    const found: { vmname: string; ram: number }[] = [];
    for (const { vmname, id } of machinesIn(await ask('list', 'vms')))
      found.push({ vmname, ram: ramIn(await ask('showvminfo', id, '--machinereadable').catch(() => '')) });
    return found;
  },
};

/** Lines `"name" {uuid}`. */
export const machinesIn = (text: string): { vmname: string; id: string }[] =>
  [...text.matchAll(/^"(.*)" \{([0-9a-f-]{36})\}\r?$/gim)].flatMap(([, vmname = '', id = '']) =>
    vmname === '<inaccessible>' ? [] : [{ vmname, id }],
  );

export const ramIn = (info: string): number => Number(/^memory=(\d+)/m.exec(info)?.[1] ?? 0);
