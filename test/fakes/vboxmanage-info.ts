import path from 'node:path';
import { type FakeVm, stateOf } from './vboxmanage-state.ts';

/** `showvminfo --machinereadable`, with the lines around those that matter. */
export const machineReadable = async (vm: FakeVm): Promise<string> => {
  const settings = path.join(vm.folder, `${vm.name}.vbox`);
  const head = [
    `name="${vm.name}"`,
    ...['groups="/"', 'ostype="Debian (64-bit)"', `UUID="${vm.uuid}"`, `CfgFile="${settings}"`],
    `SnapFldr="${path.join(vm.folder, 'Snapshots')}"`,
    `LogFldr="${path.join(vm.folder, 'Logs')}"`,
    `hardwareuuid="${vm.uuid}"`,
    ...[`memory=${vm.memory}`, 'pagefusion="off"', 'vram=16', 'cpuexecutioncap=100', 'hpet="off"'],
    ...[`chipset="${vm.chipset}"`, 'firmware="BIOS"', 'cpus=1', 'rtcuseutc="on"'],
    `VMState="${await stateOf(vm)}"`,
    'VMStateChangeTime="2026-01-01T10:00:00.000000000"',
    '"IDE Controller-0-0"="none"',
    `"SATA-0-0"="${path.join(vm.folder, 'disk.vdi')}"`,
  ];
  return [...head, ...vm.nics.flatMap(nicLines), ...uartLines(vm), ...tail(vm)].join('\n') + '\n';
};

const nicLines = (nic: FakeVm['nics'][number], index: number): string[] => {
  const n = index + 1;
  if (nic.attachment === 'none') return [`nic${n}="none"`];
  return [
    ...(nic.attachment === 'nat' ? [`natnet${n}="nat"`] : []),
    ...(nic.attachment === 'bridged' ? [`bridgeadapter${n}="eth0"`] : []),
    ...(nic.attachment === 'generic' ? [`generic${n}="${nic.driver}"`] : []),
    `macaddress${n}="${nic.mac}"`,
    `cableconnected${n}="${nic.cable ? 'on' : 'off'}"`,
    `nic${n}="${nic.attachment === 'generic' ? 'Generic' : nic.attachment}"`,
    `nictype${n}="${nic.type}"`,
    `nicspeed${n}="0"`,
  ];
};

const uartLines = ({ uart }: FakeVm): string[] => [
  ...(uart === null ? ['uart1="off"'] : [`uart1="${uart.base},${uart.irq}"`, `uartmode1="${uart.mode}"`]),
  'uart2="off"',
];

const tail = (vm: FakeVm): string[] => [
  ...['audio="none"', 'clipboard="disabled"', 'vrde="off"'],
  // Whatever the user has written, line ends and all.
  ...(vm.description === '' ? [] : [`description="${vm.description}"`]),
  ...vm.snapshots.flatMap(({ name, uuid }, depth) => {
    const suffix = '-1'.repeat(depth);
    return [`SnapshotName${suffix}="${name}"`, `SnapshotUUID${suffix}="${uuid}"`];
  }),
];

/** `showvminfo`: the lines of the adapters, which alone tell their properties. */
export const readable = async (vm: FakeVm): Promise<string> =>
  [
    `Name:                        ${vm.name}`,
    `UUID:                        ${vm.uuid}`,
    `State:                       ${await stateOf(vm)} (since 2026-01-01T10:00:00.000000000)`,
    ...vm.nics.map((nic, index) => readableNic(nic, index + 1)),
    'UART 1:                      disabled',
  ].join('\n') + '\n';

const readableNic = (nic: FakeVm['nics'][number], n: number): string => {
  const label = `NIC ${n}:`.padEnd(29);
  if (nic.attachment === 'none') return `${label}disabled`;
  const properties = Object.entries(nic.properties)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}='${value}'`);
  const attachment =
    nic.attachment === 'generic' ? `Generic '${nic.driver}' { ${properties.join(', ')} }` : nic.attachment;
  return (
    `${label}MAC: ${nic.mac}, Attachment: ${attachment}, Cable connected: ${nic.cable ? 'on' : 'off'}, Trace: off ` +
    `(file: none), Type: ${nic.type}, Reported speed: 0 Mbps, Boot priority: 0, Promisc Policy: ${nic.promisc}, ` +
    'Bandwidth group: none'
  );
};
