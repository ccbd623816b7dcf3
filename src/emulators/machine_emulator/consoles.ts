import type { EngineContext, KindNode } from '../kit/contract.ts';
import { freeConsolePort } from '../shared/console-port.ts';
import { type ConsoleWish, VNC_BASE } from './command-line.ts';

/** The console that a start gives the machine. The fabric serves telnet; screens are served by QEMU itself. */
export const consoleFor = async (node: KindNode, context: EngineContext): Promise<ConsoleWish> => {
  const { host } = context.consoles;
  switch (node.console_type) {
    case 'telnet':
      return { type: 'serial' };
    case 'vnc':
      return { type: 'vnc', host, port: await freeConsolePort(node, context, VNC_BASE) };
    case 'spice':
    case 'spice+agent':
      return { type: 'spice', host, port: await freeConsolePort(node, context), agent: node.console_type !== 'spice' };
    default:
      return { type: 'none' };
  }
};

/** The TCP port that a running machine serves its screen at, by its arguments; null when it has none. */
export const screenPort = (argv: readonly string[]): number | null => {
  const vnc = /:(\d+)$/.exec(after(argv, '-vnc'))?.[1];
  if (vnc !== undefined) return VNC_BASE + Number(vnc);
  const spice = /(?:^|,)port=(\d+)/.exec(after(argv, '-spice'))?.[1];
  return spice === undefined ? null : Number(spice);
};

/** The first, which is ours: options of the user come last. */
const after = (argv: readonly string[], option: string): string => {
  const at = argv.indexOf(option);
  return at < 0 ? '' : (argv[at + 1] ?? '');
};
