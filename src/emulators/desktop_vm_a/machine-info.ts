import type { MachineState } from '../shared/desktop-vm/hypervisor.ts';

/** What `VBoxManage showvminfo <machine> --machinereadable` tells, as far as it matters here. */
export interface MachineInfo {
  uuid: string;
  /** `<inaccessible>` when its settings cannot be read. */
  name: string;
  state: MachineState;
  /**
   * What each adapter is attached to, as VirtualBox calls it (`nat`, `bridged`, ...); null: to nothing, or to a UDP tunnel. As many
   * as the machine's chipset has.
   */
  adapters: (string | null)[];
  /** Adapters that are attached to a UDP tunnel. */
  tunnelled: number[];
  /** Mode of the first serial line, `server,/path` or `off`. */
  serial: string;
  snapshots: string[];
  logFolder: string;
}

/** `key="value"`, `key=value` or `"a key"="value"`, one a line; quotes and backslashes in values are escaped by newer versions. */
export const readMachineReadable = (output: string): Map<string, string> => {
  const values = new Map<string, string>();
  for (const line of output.split(/\r?\n/)) {
    const [, quotedKey, plainKey, quoted, plain] =
      /^(?:"((?:[^"\\]|\\.)*)"|([^"=]+))=(?:"(.*)"|(.*))$/.exec(line) ?? [];
    const key = quotedKey ?? plainKey;
    // Free texts come late and may look like anything: the first counts.
    if (key !== undefined && !values.has(key)) values.set(key, quoted?.replace(/\\(["\\])/g, '$1') ?? plain ?? '');
  }
  return values;
};

export const machineInfo = (output: string): MachineInfo => {
  const values = readMachineReadable(output);
  const of = (key: string): string => values.get(key) ?? '';
  const numbers = [...values.keys()].flatMap((key) => /^nic(\d+)$/.exec(key)?.[1] ?? []).map(Number);
  const adapters = numbers.sort((a, b) => a - b).map((number) => ({ kind: of(`nic${number}`).toLowerCase(), number }));
  const isTunnel = ({ kind, number }: { kind: string; number: number }): boolean =>
    kind === 'generic' && of(`generic${number}`) === 'UDPTunnel';
  return {
    uuid: of('UUID'),
    name: of('name'),
    state: stateOf(of('VMState')),
    adapters: adapters.map((one) => (one.kind === 'none' || one.kind === 'null' || isTunnel(one) ? null : one.kind)),
    tunnelled: adapters.flatMap((one, index) => (isTunnel(one) ? [index] : [])),
    serial: of('uart1') === 'off' ? 'off' : of('uartmode1'),
    snapshots: [...values].flatMap(([key, value]) => (/^SnapshotName(?:-\d+)*$/.test(key) ? [value] : [])),
    logFolder: of('LogFldr'),
  };
};

const stateOf = (state: string): MachineState => {
  switch (state) {
    case 'running':
    case 'livesnapshotting':
    // It stands still for good, and is there to be looked at.
    case 'gurumeditation':
      return 'running';
    case 'paused':
      return 'paused';
    case 'saved':
    case 'aborted-saved':
      return 'saved';
    case 'poweroff':
    case 'aborted':
    case 'teleported':
      return 'off';
    default:
      return 'busy';
  }
};

/**
 * Properties of the UDP tunnels, which only the readable form tells: `NIC 1: MAC: ..., Attachment: Generic 'UDPTunnel'
 * { dest='127.0.0.1', dport='30002', sport='30001' }, Cable connected: on, ...`. By adapter, from 0.
 */
export const readTunnels = (output: string): Map<number, Readonly<Record<string, string>>> => {
  const found = [...output.matchAll(/^NIC (\d+):.*Attachment: Generic 'UDPTunnel' \{ (.*?) \}/gm)];
  return new Map(
    found.map(([, number, properties = '']) => {
      const pairs = [...properties.matchAll(/(?<!\w)(\w+)='([^']*)'/g)].map(
        ([, key = '', value = '']) => [key, value] as const,
      );
      return [Number(number) - 1, Object.fromEntries(pairs)];
    }),
  );
};
