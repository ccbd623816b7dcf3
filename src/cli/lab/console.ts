import type { Duplex } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { ReadStream } from 'node:tty';
import { createWebSocketStream, WebSocket } from 'ws';
import { conflict, invalid, messageOf } from '../../common/errors.ts';
import type { FoundServer } from '../../server/found-server.ts';
import { pick } from '../names.ts';
import { printable } from '../printable.ts';
import { runningServer } from './running-server.ts';
import { COMMON, command, dataDirOf, parse } from '../source.ts';
import { nodesOf } from './things.ts';

const HELP = `topolog console NODE [--data-dir DIR]

The console of a running node at this terminal; Ctrl+] leaves it, and the node goes on. When standard input is no terminal, its lines are
typed, and its end leaves. NODE is a name, PROJECT/NODE, a beginning that no other has, or an id.
`;

/** `topolog console` */
export const consoleCommand = command(HELP, async (args) => {
  const { values, positionals } = parse({ args, options: COMMON, allowPositionals: true });
  const [wanted, more] = positionals;
  if (wanted === undefined || more !== undefined) throw invalid('topolog console needs one node: its name or id');
  const server = await runningServer(dataDirOf(values['data-dir']));
  const { node, names } = pick('node', await nodesOf(server.client), wanted);
  const { project_id, node_id, console_type } = node;
  if (console_type !== 'telnet')
    throw conflict(`${printable(names[0])} has no text console: its console is ${console_type}`);
  const path = `/v2/projects/${project_id}/nodes/${node_id}/console/ws`;
  const stream = await openConsole(server, path);
  if (process.stdin.isTTY) process.stderr.write(`${printable(names[0])}: Ctrl+] leaves\n`);
  const { stdin } = process;
  if (await (stdin.isTTY ? atTerminal(stream, stdin) : fromInput(stream))) return 0;
  process.stderr.write(`topolog: the console of ${printable(names[0])} was closed\n`);
  return 1;
});

/** Bytes of a console, both ways. Throws what the server says when it refuses. */
export const openConsole = (
  { client, headers }: Pick<FoundServer, 'client' | 'headers'>,
  path: string,
): Promise<Duplex> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`${client.url.replace(/^http/, 'ws')}${path}`, { headers });
    socket.once('error', reject);
    socket.once('unexpected-response', (_request, answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => (text += part));
      answer.once('end', () =>
        reject(conflict(saidIn(text) ?? `the console is answered with ${answer.statusCode ?? 0}`)),
      );
    });
    socket.once('open', () => {
      socket.off('error', reject);
      resolve(createWebSocketStream(socket));
    });
  });

const saidIn = (text: string): string | null => {
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    return typeof message === 'string' ? message : null;
  } catch {
    return null;
  }
};

/** Ctrl+], as telnet has it. */
const LEAVE = 0x1d;

/** Whether it was left; false: the server closed it. */
const atTerminal = (stream: Duplex, terminal: ReadStream): Promise<boolean> => {
  let left = false;
  const typed = (bytes: Buffer): void => {
    const end = bytes.indexOf(LEAVE);
    const before = end < 0 ? bytes : bytes.subarray(0, end);
    if (before.length > 0) stream.write(before);
    if (end < 0) return;
    left = true;
    stream.end();
  };
  terminal.setRawMode(true).on('data', typed).resume();
  return shown(stream).then(() => {
    terminal.off('data', typed).setRawMode(false).pause();
    process.stderr.write('\n');
    return left;
  });
};

/** The same for lines of a file or a program: a console takes CR for the end of one. */
const fromInput = async (stream: Duplex): Promise<boolean> => {
  let left = false;
  process.stdin.on('data', (bytes: Buffer) =>
    stream.write(Buffer.from(bytes.toString('latin1').replaceAll('\n', '\r'), 'latin1')),
  );
  process.stdin.once('end', () => {
    left = true;
    stream.end();
  });
  await shown(stream);
  process.stdin.pause();
  return left;
};

/** Until it is closed, by whomever. */
const shown = async (stream: Duplex): Promise<void> => {
  stream.pipe(process.stdout, { end: false });
  await finished(stream, { writable: false }).catch((error: unknown) =>
    process.stderr.write(`topolog: ${printable(messageOf(error))}\n`),
  );
};
