import { formatMac } from '../../codecs/mac-address.ts';
import type { ConsoleSink } from '../../console/console.ts';
import type { MacTable } from './mac-table.ts';
import type { SwitchPort } from './switch-ports.ts';
import { createTextConsole } from '../text-console.ts';

interface Options {
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

export function createSwitchConsole(options: Options): ConsoleSink {
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

function macText({ table, now, ports }: Options): string {
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
