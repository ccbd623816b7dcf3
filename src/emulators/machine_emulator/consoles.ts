import { conflict } from '../../errors.ts';
import type { EngineContext, KindNode } from '../contract.ts';
import { portIsFree } from '../leases.ts';
import { type ConsoleWish, VNC_BASE } from './command-line.ts';

/** The console that a start gives the machine. The fabric serves telnet; screens are served by QEMU itself. */
export const consoleFor = async (node: KindNode, { consoles }: EngineContext): Promise<ConsoleWish> => {
  const { host } = consoles;
  switch (node.console_type) {
    case 'telnet':
      return { type: 'serial' };
    case 'vnc':
      return { type: 'vnc', host, port: await freePort(node, consoles, VNC_BASE) };
    case 'spice':
    case 'spice+agent':
      return { type: 'spice', host, port: await freePort(node, consoles, 0), agent: node.console_type !== 'spice' };
    default:
      return { type: 'none' };
  }
};

/** The node's own port when it is free and will do, or another of the range, from a random place on. */
const freePort = async (
  { name, console }: KindNode,
  { host, range }: EngineContext['consoles'],
  least: number,
): Promise<number> => {
  if (console !== null && console >= least && (await portIsFree(host, console))) return console;
  const first = Math.max(range[0], least);
  const count = Math.max(0, range[1] - first + 1);
  const start = Math.floor(Math.random() * count);
  for (let n = 0; n < count; n++) {
    const port = first + ((start + n) % count);
    if (await portIsFree(host, port)) return port;
  }
  throw conflict(`${name}: no console port of ${first} to ${range[1]} is free on ${host}`);
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
