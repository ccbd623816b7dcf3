import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { type FakeDesktop, fakeDesktop } from './fake-desktop.ts';
import { fakeVBoxManage } from './vboxmanage.ts';
import { COUNT, type FakeVBox, type FakeVm, freshNic } from './vboxmanage-state.ts';

export interface FakeVirtualBox extends FakeDesktop<FakeVBox> {
  /** A registered machine that is off. Its adapters are attached to nothing unless `changes` says otherwise. */
  add(name: string, changes?: Partial<FakeVm>): FakeVm;
  vm(nameOrUuid: string): FakeVm | undefined;
}

export const fakeVirtualBox = async (): Promise<FakeVirtualBox> => {
  const fake = await fakeDesktop<FakeVBox>(
    { vms: [], noDriver: false },
    { name: 'VBoxManage', answer: fakeVBoxManage },
  );
  return {
    ...fake,
    add(name, changes = {}) {
      const vm: FakeVm = {
        ...{ uuid: randomUUID(), name, memory: 1024, chipset: 'piix3', uart: null, snapshots: [], parent: null },
        folder: path.join(fake.home, 'machines', name),
        ...{ extra: {}, description: '', obeysButton: true },
        nics: Array.from({ length: COUNT[changes.chipset ?? 'piix3'] }, (_, n) => ({
          ...freshNic(n),
          attachment: n === 0 ? 'null' : 'none',
        })),
        ...changes,
      };
      fake.state.vms.push(vm);
      return vm;
    },
    vm: (wanted) => fake.state.vms.find(({ name, uuid }) => name === wanted || uuid === wanted),
  };
};
