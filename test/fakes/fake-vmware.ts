import { mkdir, realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type FakeDesktop, fakeDesktop } from './fake-desktop.ts';
import { fakeVmrun } from './vmrun.ts';
import type { FakeVMware } from './vmrun-state.ts';

export interface FakeVmwareDesktop extends FakeDesktop<FakeVMware> {
  /** A machine with these lines in its definition file, beside those that every one has; answers the file's path. */
  add(name: string, lines?: readonly string[], tools?: boolean): Promise<string>;
}

export const fakeVmware = async (product: 'vmware' | 'vmplayer' = 'vmware'): Promise<FakeVmwareDesktop> => {
  const fake = await fakeDesktop<FakeVMware>({ vms: {} }, { name: 'vmrun', answer: fakeVmrun, others: [product] });
  return {
    ...fake,
    async add(name, lines = [], tools = true) {
      const folder = path.join(await realpath(fake.home), 'machines', name);
      await mkdir(folder, { recursive: true });
      const file = path.join(folder, `${name}.vmx`);
      const head = ['#!/usr/bin/vmware', '.encoding = "UTF-8"', 'config.version = "8"', 'virtualHW.version = "18"'];
      const rest = [`displayName = "${name}"`, 'guestOS = "debian10-64"', ...lines];
      await writeFile(file, `${[...head, ...rest].join('\n')}\n`);
      fake.state.vms[file] = { snapshots: [], tools };
      return file;
    },
  };
};
