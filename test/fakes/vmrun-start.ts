import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { machineIs, requestedFailure, startMachine, violation } from './desktop-host.ts';
import type { MachineSpec } from './desktop-machine-spec.ts';
import { controlOf, failure, type FakeVmx, openVmx, stateOf, statusOf, usage } from './vmrun-state.ts';

const DEVICES = ['e1000', 'e1000e', 'vlance', 'vmxnet', 'vmxnet2', 'vmxnet3'];
const TYPES = ['bridged', 'nat', 'hostonly', 'custom'];
/** UDP ports between the fake's networks and its guests: below those that engines take. */
const FIRST_PORT = 23_000;
const FROM_OFFSET = 500;

export const start = async (vmx: string, known: FakeVmx, args: readonly string[]): Promise<string> => {
  if (args.length > 1 || !['gui', 'nogui', undefined].includes(args[0])) throw usage('gui or nogui');
  const values = openVmx(vmx);
  if ((await stateOf(vmx)) !== null) throw failure('The file is already in use');
  const wanted = requestedFailure('start');
  if (wanted !== null && wanted !== 'ends') throw failure(wanted);
  const nics = nicsOf(values);
  const saved = (values.get('checkpoint.vmstate') ?? '') !== '';
  const spec: MachineSpec = {
    status: statusOf(vmx),
    control: controlOf(vmx),
    log: path.join(path.dirname(vmx), 'vmware.log'),
    serial: serialOf(values),
    nics,
    restores: saved,
    obeysButton: known.tools,
    endsAtOnce: wanted === 'ends',
  };
  rewrite(vmx, values);
  mkdirSync(`${vmx}.lck`, { recursive: true });
  writeFileSync(`${statusOf(vmx)}.vmx`, readFileSync(vmx));
  const product = 'product=1;name=VMware Workstation;version=16.2.1;buildnumber=18811642;';
  const flags = ['-s', 'vmx.stdio.keep=TRUE', '-#', product, '-@', 'duplex=3;msgs=ui'];
  await startMachine(spec, 'vmware-vmx', [...flags, vmx]);
  await machineIs(spec.status, 'running', 'aborted', null);
  return '';
};

/** Definitions that VMware would refuse are refused. */
const nicsOf = (values: ReadonlyMap<string, string>): MachineSpec['nics'] =>
  Array.from({ length: 10 }, (_, adapter) => ({
    adapter,
    of: (key: string) => values.get(`ethernet${adapter}.${key}`.toLowerCase()) ?? '',
  })).flatMap(({ adapter, of }) => {
    if (of('present') !== 'TRUE') return [];
    const device = of('virtualDev');
    if (device !== '' && !DEVICES.includes(device))
      throw failure(`ethernet${adapter}: device ${device} is not supported`);
    const type = of('connectionType') || 'bridged';
    if (!TYPES.includes(type)) throw failure(`ethernet${adapter}: connection type ${type} is not valid`);
    checkAddress(adapter, of);
    if (type !== 'custom' || of('startConnected') === 'FALSE') return [];
    const number = /^\/dev\/vmnet(\d+)$/.exec(of('vnet'))?.[1];
    if (number === undefined || !existsSync(`/sys/class/net/vmnet${number}`))
      throw failure(`Could not connect 'Ethernet${adapter}' to virtual network '${of('vnet')}'`);
    const to = FIRST_PORT + Number(number);
    return [{ adapter, from: to + FROM_OFFSET, to, interface: `vmnet${number}g` }];
  });

const checkAddress = (adapter: number, of: (key: string) => string): void => {
  if (of('addressType') !== 'static' || of('checkMACAddress') === 'FALSE') return;
  if (!/^00:50:56:[0-3]/i.test(of('address')))
    throw failure(
      `MAC address ${of('address')} of adapter Ethernet${adapter} is not an allowed static Ethernet address`,
    );
};

const serialOf = (values: ReadonlyMap<string, string>): string | null => {
  if (values.get('serial0.present') !== 'TRUE' || values.get('serial0.filetype') !== 'pipe') return null;
  if (values.get('serial0.pipe.endpoint') !== 'server') throw failure('serial0: the pipe has no server');
  return values.get('serial0.filename') ?? null;
};

/** VMware writes the file again when a machine starts: what it makes up is in it, and what it does not know stays. */
const rewrite = (vmx: string, values: ReadonlyMap<string, string>): void => {
  const kept = readFileSync(vmx, 'utf8')
    .split('\n')
    .filter((line) => !/^checkpoint\.vmState /i.test(line) && line !== '');
  const made = [...Array(10).keys()].flatMap((n) =>
    values.get(`ethernet${n}.present`) === 'TRUE' && !values.has(`ethernet${n}.generatedaddress`)
      ? [`ethernet${n}.generatedAddress = "00:0c:29:00:00:0${n}"`]
      : [],
  );
  writeFileSync(vmx, [...kept, ...made, 'checkpoint.vmState = ""', ''].join('\n'));
};

/** A machine has ended: the file is its own again, and must not have been written by others meanwhile. */
export const unlock = (vmx: string, vmss: string | null): void => {
  rmSync(`${vmx}.lck`, { recursive: true, force: true });
  const copy = `${statusOf(vmx)}.vmx`;
  if (!existsSync(copy)) return;
  if (readFileSync(copy, 'utf8') !== readFileSync(vmx, 'utf8')) violation(`${vmx} was written while it ran`);
  rmSync(copy);
  if (vmss === null) return;
  const text = readFileSync(vmx, 'utf8').replace('checkpoint.vmState = ""', `checkpoint.vmState = "${vmss}"`);
  writeFileSync(vmx, text);
  appendFileSync(path.join(path.dirname(vmx), vmss), 'memory');
};
