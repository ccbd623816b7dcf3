import path from 'node:path';
import { Exit, host, machineState, violation } from './desktop-host.ts';

export interface FakeNic {
  attachment: string;
  driver: string;
  properties: Record<string, string>;
  type: string;
  cable: boolean;
  mac: string;
  promisc: string;
}

/** A registered machine of the fake VirtualBox. */
export interface FakeVm {
  uuid: string;
  name: string;
  memory: number;
  chipset: 'piix3' | 'ich9';
  nics: FakeNic[];
  uart: { base: string; irq: number; mode: string } | null;
  snapshots: { name: string; uuid: string }[];
  /** Of a linked clone: the snapshot that its disks begin with. */
  parent: string | null;
  folder: string;
  extra: Record<string, string>;
  description: string;
  obeysButton: boolean;
}

export interface FakeVBox {
  vms: FakeVm[];
  /** The kernel module is not loaded. */
  noDriver: boolean;
}

export const COUNT = { piix3: 8, ich9: 36 } as const;

export const freshNic = (n: number): FakeNic => ({
  // As VirtualBox makes a new machine: its first adapter on NAT.
  attachment: n === 0 ? 'nat' : 'none',
  driver: '',
  properties: {},
  type: '82540EM',
  cable: true,
  mac: `080027${Math.floor(Math.random() * 0xffffff)
    .toString(16)
    .padStart(6, '0')}`.toUpperCase(),
  promisc: 'deny',
});

export const statusOf = ({ uuid }: FakeVm): string => path.join(host.home, `${uuid}.status`);
export const controlOf = ({ uuid }: FakeVm): string => path.join(host.home, `${uuid}.control`);

export const stateOf = async (vm: FakeVm): Promise<string> => (await machineState(statusOf(vm))) ?? 'poweroff';

export const isOnline = (state: string): boolean => !['poweroff', 'aborted', 'saved'].includes(state);

/** `VBoxManage: error:` lines as the program prints those of the API. */
export const apiError = (message: string, code: string, where: string, context: string): Exit =>
  new Exit(
    1,
    '',
    `VBoxManage: error: ${message}\n` +
      `VBoxManage: error: Details: code ${code}, ${where}, callee nsISupports\n` +
      `VBoxManage: error: Context: "${context}" at line 640 of file VBoxManage.cpp\n`,
  );

export const plainError = (message: string): Exit => new Exit(1, '', `VBoxManage: error: ${message}\n`);

export const syntaxError = (message: string): Exit => {
  violation(message);
  return new Exit(2, '', `Usage:\n\n  VBoxManage ...\n\nVBoxManage: error: ${message}\n`);
};

const notFound = (name: string): Exit =>
  apiError(
    `Could not find a registered machine named '${name}'`,
    'VBOX_E_OBJECT_NOT_FOUND (0x80bb0001)',
    'component VirtualBoxWrap, interface IVirtualBox',
    'FindMachine(Bstr(a->argv[0]).raw(), machine.asOutParam())',
  );

export const locked = ({ name }: Pick<FakeVm, 'name'>): Exit =>
  apiError(
    `The machine '${name}' is already locked for a session (or being unlocked)`,
    'VBOX_E_INVALID_OBJECT_STATE (0x80bb0007)',
    'component MachineWrap, interface IMachine',
    'LockMachine(a->session, LockType_Write)',
  );

export const invalidState = (message: string): Exit =>
  apiError(message, 'VBOX_E_INVALID_VM_STATE (0x80bb0002)', 'component ConsoleWrap, interface IConsole', 'Pause()');

export const vmNamed = (box: FakeVBox, name: string | undefined): FakeVm => {
  if (name === undefined) throw syntaxError('Not enough parameters');
  const vm = box.vms.find((one) => one.uuid === name || one.name === name);
  if (vm === undefined) throw notFound(name);
  return vm;
};
