import { ETHERNET_HEADER } from '../../codecs/ethernet.ts';
import { formatMac } from '../../codecs/mac-address.ts';
import type { ConsoleSink } from '../../console/console.ts';
import type { Model, ModelContext } from '../../process/model.ts';
import type { NodeTables } from '../../protocol.ts';
import { createTextConsole } from '../text-console.ts';
import { createMacTable, type MacTable } from './mac-table.ts';
import { ingress, isTagged, egress, type Passage } from './switch-passage.ts';
import { type SwitchPort, switchPorts } from './switch-ports.ts';

/**
 * VLAN bridge (IEEE 802.1Q) without spanning tree: link-local groups such as BPDUs are flooded like any other.
 * Settings: `ports_mapping`, see switch-ports.ts.
 */
export function ethernetSwitch(context: ModelContext): Model {
  const table = createMacTable();
  let { name } = context.spec;
  let ports = switchPorts(context.spec.config, context.spec.ports);
  let byNumber = index(ports);

  function receive(_adapter: number, number: number, frame: Uint8Array): void {
    const port = byNumber[number];
    if (port === undefined || frame.length < ETHERNET_HEADER) return;
    if (port.type === 'access' && !isTagged(frame)) return fromAccess(port, frame);
    const passage = ingress(port, frame);
    if (passage !== null) forward(port, passage, destination(port, passage.frame, passage.vlan));
  }

  /** The usual case; allocates nothing for a frame from an access port to another. */
  function fromAccess(port: SwitchPort, frame: Uint8Array): void {
    const to = destination(port, frame, port.vlan);
    const out = byNumber[to];
    if (out?.type === 'access' && out.vlan === port.vlan) {
      if (out !== port) context.send(out.adapter, to, frame);
      return;
    }
    const passage = ingress(port, frame);
    if (passage !== null) forward(port, passage, to);
  }

  /** Learns the source address; returns the number of the port for the destination, -1: flood. */
  function destination(port: SwitchPort, frame: Uint8Array, vlan: number): number {
    const now = context.now();
    table.learn(frame, vlan, port.number, now);
    return ((frame[0] ?? 0) & 1) === 1 ? -1 : table.find(frame, vlan, now);
  }

  function forward(from: SwitchPort, passage: Passage, to: number): void {
    if (to === -1) for (const port of ports) sendOut(context, from, port, passage);
    else sendOut(context, from, byNumber[to], passage);
  }

  return {
    receive,
    configure(spec) {
      const next = switchPorts(spec.config, spec.ports);
      // Learned addresses may now be behind other ports, or in other VLANs.
      if (JSON.stringify(next) !== JSON.stringify(ports)) table.clear();
      ports = next;
      byNumber = index(next);
      name = spec.name;
    },
    console:
      context.spec.console === null
        ? null
        : createSwitchConsole({ table, now: () => context.now(), name: () => name, ports: () => ports }),
    // Flushes the port's entries: its hosts may reappear at another port without sending.
    unplugged: (_adapter, number) => table.forget(number),
    tables: () => ({ stations: stationsOf(table.entries(context.now()), byNumber) }),
    stop: () => undefined,
  };
}

function sendOut(context: ModelContext, from: SwitchPort, port: SwitchPort | undefined, passage: Passage): void {
  const frame = port === undefined || port === from ? null : egress(port, passage);
  if (port !== undefined && frame !== null) context.send(port.adapter, port.number, frame);
}

function index(ports: SwitchPort[]): (SwitchPort | undefined)[] {
  const byNumber: (SwitchPort | undefined)[] = [];
  for (const port of ports) byNumber[port.number] = port;
  return byNumber;
}

const stationsOf = (
  entries: ReturnType<MacTable['entries']>,
  byNumber: readonly (SwitchPort | undefined)[],
): NodeTables['stations'] & object =>
  entries.map(({ vlan, mac, port }) => ({
    vlan,
    mac: formatMac(mac),
    adapter_number: byNumber[port]?.adapter ?? 0,
    port_number: port,
  }));

interface SwitchConsoleOptions {
  table: MacTable;
  now: () => number;
  name: () => string;
  ports: () => SwitchPort[];
}

const HELP = `clear mac    Forgets every learned address
help         Shows this list
show mac     Shows the learned addresses: VLAN, MAC, port, seconds since the last frame
show ports   Shows the ports: type and VLAN
`;

function createSwitchConsole(options: SwitchConsoleOptions): ConsoleSink {
  function run(line: string): string {
    switch (line.toLowerCase().split(/\s+/).join(' ')) {
      case 'help':
      case '?':
        return HELP;
      case 'mac':
      case 'show mac':
        return macText(options);
      case 'show ports':
        return portText(options.ports());
      case 'clear mac':
        options.table.clear();
        return '';
      default:
        return `"${line}" is no command; help lists them.\n`;
    }
  }
  return createTextConsole({
    greeting: `Ethernet switch ${options.name()}. Type help for the commands.`,
    prompt: () => `${options.name()}> `,
    run,
  });
}

function macText({ table, now, ports }: SwitchConsoleOptions): string {
  const names = new Map(ports().map((port) => [port.number, port.name]));
  const rows = table
    .entries(now())
    .map(({ vlan, mac, port, age }) => [vlan, formatMac(mac), names.get(port) ?? port, `${age} s`]);
  return tableText([['VLAN', 'MAC', 'Port', 'Age'], ...rows]);
}

const portText = (ports: SwitchPort[]): string =>
  tableText([
    ['Port', 'Type', 'VLAN', 'Tag'],
    ...ports.map((port) => [port.name, port.type, port.vlan, tagText(port)]),
  ]);

const tagText = (port: SwitchPort): string => (port.type === 'qinq' ? `0x${port.ethertype.toString(16)}` : '');

function tableText(rows: (string | number)[][]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => String(row[column]).length))) ?? [];
  const lines = rows.map((row) => row.map((cell, column) => String(cell).padEnd(widths[column] ?? 0)).join('  '));
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}
