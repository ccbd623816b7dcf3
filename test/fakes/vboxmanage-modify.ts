import {
  apiError,
  COUNT,
  type FakeNic,
  type FakeVm,
  freshNic,
  isOnline,
  locked,
  stateOf,
  syntaxError,
} from './vboxmanage-state.ts';

const ATTACHMENTS = ['none', 'null', 'nat', 'bridged', 'intnet', 'hostonly', 'generic', 'natnetwork'];
const TYPES = ['Am79C970A', 'Am79C973', '82540EM', '82543GC', '82545EM', 'virtio'];
const POLICIES = ['deny', 'allow-vms', 'allow-all'];

/** What `modifyvm` takes, each option with a check of its value. The rest it has is not used here, and so an error. */
export const modify = async (vm: FakeVm, options: readonly string[]): Promise<void> => {
  if (options.length === 0) throw syntaxError('Not enough parameters');
  const state = await stateOf(vm);
  if (isOnline(state)) throw locked(vm);
  const left = [...options];
  while (left.length > 0) applyOption(vm, state, left);
};

const applyOption = (vm: FakeVm, state: string, left: string[]): void => {
  const option = left.shift() ?? '';
  const [, name = '', number = ''] = /^--([a-z]+)(\d*)$/.exec(option) ?? [];
  const value = left.shift();
  if (value === undefined) throw syntaxError(`Missing argument to '${option}'`);
  if (name === 'uart' || name === 'uartmode') return applySerial(vm, state, name, value, left);
  if (number !== '') return applyNic(nicOf(vm, number), state, name, value);
  mutable(state);
  switch (name) {
    case 'memory':
      vm.memory = Number(oneOf(option, value, /^\d+$/));
      return;
    case 'chipset':
      vm.chipset = oneOf(option, value, /^(?:piix3|ich9)$/) as FakeVm['chipset'];
      vm.nics = Array.from({ length: COUNT[vm.chipset] }, (_, n) => vm.nics[n] ?? freshNic(n));
      return;
    default:
      throw syntaxError(`Unknown option: ${option}`);
  }
};

const applyNic = (nic: FakeNic, state: string, name: string, value: string): void => {
  switch (name) {
    case 'nic':
      // It is put in or taken out as well, which a saved machine does not take.
      mutable(state);
      nic.attachment = oneOf(name, value, ATTACHMENTS);
      return;
    case 'nicgenericdrv':
      nic.driver = value;
      return;
    case 'nicproperty': {
      const [, key = '', content = ''] = /^(\w+)=(.*)$/.exec(value) ?? [];
      if (key === '') throw syntaxError(`Invalid --nicproperty argument '${value}'`);
      nic.properties[key] = content;
      return;
    }
    case 'nictype':
      mutable(state);
      nic.type = oneOf(name, value, TYPES);
      return;
    case 'cableconnected':
      nic.cable = oneOf(name, value, ['on', 'off']) === 'on';
      return;
    case 'macaddress':
      mutable(state);
      // The second digit of a single machine's address is even.
      nic.mac = oneOf(name, value, /^[0-9A-F][02468ACE][0-9A-F]{10}$/);
      return;
    case 'nicpromisc':
      nic.promisc = oneOf(name, value, POLICIES);
      return;
    default:
      throw syntaxError(`Unknown option: --${name}`);
  }
};

const applySerial = (vm: FakeVm, state: string, name: string, value: string, left: string[]): void => {
  if (name === 'uart') {
    mutable(state);
    if (value === 'off') vm.uart = null;
    else {
      const irq = Number(oneOf('--uart1', left.shift() ?? '', /^\d+$/));
      vm.uart = { base: oneOf('--uart1', value, /^0x[0-9a-fA-F]+$/).toLowerCase(), irq, mode: 'disconnected' };
    }
    return;
  }
  const mode = oneOf('--uartmode1', value, ['server', 'client', 'disconnected']);
  const path = mode === 'disconnected' ? '' : `,${left.shift() ?? ''}`;
  if (vm.uart === null || path === ',') throw syntaxError("Invalid argument to '--uartmode1'");
  vm.uart.mode = `${mode}${path}`;
};

const nicOf = (vm: FakeVm, number: string): FakeNic => {
  const nic = vm.nics[Number(number) - 1];
  if (nic === undefined) throw syntaxError(`Invalid NIC number '${number}'.`);
  return nic;
};

const oneOf = (option: string, value: string, possible: readonly string[] | RegExp): string => {
  const fits = possible instanceof RegExp ? possible.test(value) : possible.includes(value);
  if (!fits) throw syntaxError(`Invalid ${option} argument '${value}'`);
  return value;
};

const mutable = (state: string): void => {
  if (state !== 'saved') return;
  throw apiError(
    'The machine is not mutable (state is Saved)',
    'VBOX_E_INVALID_VM_STATE (0x80bb0002)',
    'component SessionMachine, interface IMachine',
    'COMSETTER(MemorySize)(ValueUnion.u32)',
  );
};
