import type { Duplex } from 'node:stream';
import { createWebSocketStream, WebSocket } from 'ws';
import { lastLine, plainText } from '../../common/forms/console-text.ts';
import { conflict, invalid } from '../../common/errors.ts';
import { duration } from '../../common/forms/duration.ts';
import type { FoundServer } from '../../server/found-server.ts';
import { pick } from '../names.ts';
import { printable } from '../printable.ts';
import { dataDirOf } from '../command.ts';
import { runningServer } from '../running-server.ts';
import { nodesOf, unlessClosed } from '../objects.ts';

/** An open console. `name`: that of its node, printable. */
export interface OpenedConsole {
  name: string;
  stream: Duplex;
}

/** Opens the console of a node by its name. Throws if it has none. */
export const consoleOf = async (dataDir: string | undefined, wanted: string): Promise<OpenedConsole> => {
  const server = await runningServer(dataDirOf(dataDir));
  const found = nodesOf(server.client).then((nodes) => pick('node', nodes, wanted));
  const { node, names } = await found.catch(unlessClosed(server.client));
  const { project_id, node_id, console_type } = node;
  const name = printable(names[0]);
  if (console_type !== 'telnet') throw conflict(`${name} has no text console: its console is ${console_type}`);
  const path = `/v2/projects/${project_id}/nodes/${node_id}/console/ws`;
  return { name, stream: await openConsole(server, path) };
};

/** Opens a console as a stream in both directions. Throws the server's message if it refuses. */
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

/** Most characters of output that are kept. */
const MOST_TEXT = 4 << 20;

/** Collects the output of a console as plain text. */
export class Shown {
  readonly #decoder = new TextDecoder();
  text = '';

  constructor(stream: Duplex) {
    stream.on('data', (bytes: Buffer) => {
      this.text = (this.text + plainText(this.#decoder.decode(bytes, { stream: true }))).slice(-MOST_TEXT);
    });
  }

  get lastLine(): string {
    return lastLine(this.text);
  }
}

/**
 * Waits until a console shows nothing for a while. `quietMs` returns that time after each output; null: no silence is enough. Resolves with
 * `late` after `timeoutMs`. Milliseconds.
 */
export const untilQuiet = (
  stream: Duplex,
  timeoutMs: number,
  quietMs: () => number | null,
): Promise<'quiet' | 'late' | 'closed'> =>
  new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    const look = (): void => {
      clearTimeout(timer);
      const ms = quietMs();
      if (ms !== null) timer = setTimeout(() => end('quiet'), ms);
    };
    const closed = (): void => end('closed');
    const late = setTimeout(() => end('late'), timeoutMs);
    const end = (why: 'quiet' | 'late' | 'closed'): void => {
      clearTimeout(timer);
      clearTimeout(late);
      stream.off('data', look).off('end', closed).off('close', closed);
      resolve(why);
    };
    stream.on('data', look).once('end', closed).once('close', closed);
    look();
  });

/** Default of `--timeout`. */
export const PATIENCE = '1m';

/** Value of `--timeout` in milliseconds. */
export const timeoutOf = (given: string): number => {
  const { data, error } = duration.safeParse(given);
  if (data === undefined) throw invalid(`--timeout ${error?.issues[0]?.message ?? 'is not right'}`);
  return data;
};

/** Silence behind the same prompt as before, and behind a similar one, which output may follow. Milliseconds. */
export const SETTLED_MS = { same: 50, alike: 1_000 };
