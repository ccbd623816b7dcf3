import { conflict } from '../../common/errors.ts';
import type { Port } from '../kit/contract.ts';
import { isTrue, type Vmx } from './vmx-file.ts';

/** Key of a definition file that VMware does not know, and keeps: whose the machine is. */
export const CLAIM = 'topolog.node';
export const MOST_ADAPTERS = 10;

const TYPES = ['default', 'e1000', 'e1000e', 'flexible', 'vlance', 'vmxnet', 'vmxnet2', 'vmxnet3'];

/** What each of a machine's first adapters leads to, as VMware calls it; null: nowhere, or to a network of its own choice. */
export const usesOf = (vmx: Vmx, adapters: number): (string | null)[] =>
  Array.from({ length: adapters }, (_, n) => {
    if (!isTrue(vmx.get(`ethernet${n}.present`))) return null;
    // Without a type VMware takes bridged.
    const type = (vmx.get(`ethernet${n}.connectionType`) ?? 'bridged').toLowerCase();
    return type === 'custom' || type === 'none' ? null : type;
  });

/** The network of an adapter, `vmnet10`; null when it is on none of those. */
export const vmnetOf = (vmx: Vmx, adapter: number): string | null => {
  const isOn =
    isTrue(vmx.get(`ethernet${adapter}.present`)) && vmx.get(`ethernet${adapter}.connectionType`) === 'custom';
  return isOn
    ? (/(?:^|\/)(vmnet\d+)$/i.exec(vmx.get(`ethernet${adapter}.vnet`) ?? '')?.[1]?.toLowerCase() ?? null)
    : null;
};

/** Keys that put an adapter on a network. A MAC address is only given when the node has one of its own. */
export const adapterValues = (port: Port, vmnet: string, adapterType: string): Record<string, string> => {
  const of = (key: string): string => `ethernet${port.adapter_number}.${key}`;
  return {
    [of('present')]: 'TRUE',
    [of('startConnected')]: 'TRUE',
    [of('connectionType')]: 'custom',
    [of('vnet')]: `/dev/${vmnet}`,
    [of('noPromisc')]: 'FALSE',
    ...typeValue(of('virtualDev'), port.adapter_type ?? adapterType),
    ...(port.mac_address === undefined
      ? {}
      : { [of('addressType')]: 'static', [of('address')]: port.mac_address, [of('checkMACAddress')]: 'FALSE' }),
  };
};

const typeValue = (key: string, adapterType: string): Record<string, string> => {
  const type = adapterType.toLowerCase();
  if (!TYPES.includes(type))
    throw conflict(`adapter_type ${adapterType} is none of VMware's; possible: ${TYPES.join(', ')}`, {
      field: 'adapter_type',
    });
  return type === 'default' || type === 'flexible' ? {} : { [key]: type };
};

/** The first serial line, served at a unix socket. */
export const serialValues = (socket: string): Record<string, string> => ({
  'serial0.present': 'TRUE',
  'serial0.startConnected': 'TRUE',
  'serial0.fileType': 'pipe',
  'serial0.fileName': socket,
  'serial0.pipe.endPoint': 'server',
  // The other end is a program, not another machine: nothing waits for it, nothing spins.
  'serial0.tryNoRxLoss': 'FALSE',
  'serial0.yieldOnMsrRead': 'TRUE',
});

/** Adapters stay, and are not connected; a serial line of ours goes. */
export const loosen = (vmx: Vmx, serial: string): void => {
  for (let n = 0; n < MOST_ADAPTERS; n++)
    if (vmnetOf(vmx, n) !== null) vmx.set({ [`ethernet${n}.startConnected`]: 'FALSE' });
  if (vmx.get('serial0.fileName') === serial) vmx.set({ 'serial0.present': 'FALSE' });
  vmx.delete(CLAIM);
};

/** A machine whose memory is in a file beside it. */
export const isSaved = (vmx: Vmx): boolean => (vmx.get('checkpoint.vmState') ?? '') !== '';
