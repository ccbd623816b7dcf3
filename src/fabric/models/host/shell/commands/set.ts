import { isNumber, means, type PcCommand, type PcContext } from '../command.ts';
import { CAPTURE_HINT } from './show.ts';

export const setCommand: PcCommand = {
  name: 'set',
  usage: '[arguments]',
  summary: "Set this PC's name, MTU, echo of scripts",
  help: `
set [pcname|mtu|echo]
    pcname <name>   Name in the prompt, until the PC is started again or saved
    mtu <value>     Largest IPv4 packet, 576 to 65535 bytes
    echo on|off     Show a script's commands as they are run
`,
  run(context, args) {
    const [word, ...rest] = args;
    if (word === undefined) context.print(setCommand.help);
    else if (means(word, 'dump')) context.print(`Dumps are not supported by this PC. ${CAPTURE_HINT}`);
    else if (means(word, 'mtu')) setMtu(context, rest);
    else if (['lport', 'rport', 'rhost'].some((name) => means(word, name))) {
      context.print('This PC has no ports to set: its links are drawn in the lab.\n');
    } else if (means(word, 'pcname')) setName(context, rest);
    else if (means(word, 'echo')) setEcho(context, rest);
    else context.print('Invalid command.\n');
  },
};

const MAX_NAME = 64;

/** Least of RFC 791; the length field has 16 bits. */
const MTU = { from: 576, upTo: 65_535 };

export function setMtu(context: PcContext, args: readonly string[]): void {
  const [value] = args;
  if (!isNumber(value) || args.length > 1) {
    context.print(value === undefined ? 'Incomplete command.\n' : 'Invalid MTU, should be a number of bytes\n');
    return;
  }
  const mtu = Number(value);
  if (mtu >= MTU.from && mtu <= MTU.upTo) context.host.mtu = mtu;
  else context.print(`Invalid MTU, should be ${MTU.from} to ${MTU.upTo}\n`);
}

function setName(context: PcContext, args: readonly string[]): void {
  const name = args.join(' ');
  if (name === '') context.print('Incomplete command.\n');
  else if (name.length > MAX_NAME) context.print(`Hostname is too long. (Maximum ${MAX_NAME} characters)\n`);
  else context.settings.name = name;
}

/** VPCS also takes colours of the echo here; they are accepted, and the terminal's own are kept. */
function setEcho(context: PcContext, args: readonly string[]): void {
  const value = args[0]?.toLowerCase();
  if (value === undefined) context.print('Incomplete command.\n');
  else if (value === 'on' || value === 'off') context.settings.echo = value === 'on';
  else if (value !== 'color') context.print('Invalid options\n');
}
