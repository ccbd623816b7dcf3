import { connect, type Socket } from 'node:net';

/** A user at a text console, on a plain TCP connection that knows no telnet options. */
export interface ConsoleClient {
  /** Types a command and resolves with its echo and output, up to the prompt. Rejects when the console closes before. */
  run(command: string): Promise<string>;
  /** Ctrl-C, up to the prompt: nothing that was typed before is left. */
  interrupt(): Promise<string>;
  /** Resolves when the console has been closed from the other side. */
  closed: Promise<void>;
  end(): void;
}

/** IAC and what belongs to it (RFC 854): options of three bytes, subnegotiations up to IAC SE. */
const plain = (text: string): string => text.replace(/\xff(?:[\xfb-\xfe].|\xfa[^\xff]*\xff\xf0|.)/gs, '');

/** `prompt`: as the console prints it, e.g. `PC1> `. */
export const connectConsole = (port: number, prompt: string, host = '127.0.0.1'): Promise<ConsoleClient> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, host);
    socket.once('error', reject);
    socket.once('connect', () => resolve(clientOf(socket, prompt)));
  });

const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const clientOf = (socket: Socket, prompt: string): ConsoleClient => {
  let text = '';
  let heard = (): void => undefined;
  let open = true;
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    text += chunk;
    heard();
  });
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => {
      open = false;
      heard();
      resolve();
    });
  });
  const until = (pattern: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      heard = () => {
        const seen = plain(text);
        const found = pattern.exec(seen);
        if (found !== null) {
          text = seen.slice(found.index + found[0].length);
          resolve(seen.slice(0, found.index + found[0].length));
        } else if (!open) reject(new Error(`the console closed before ${String(pattern)}: ${seen}`));
      };
      heard();
    });
  return {
    run(command) {
      socket.write(`${command}\r`);
      // The echo first: a client that has just come is shown what was printed before, prompts included.
      return until(new RegExp(`${literally(command)}\\r?\\n[\\s\\S]*${literally(prompt)}$`));
    },
    interrupt() {
      socket.write('\x03');
      return until(new RegExp(`\\^C\\r?\\n[\\s\\S]*${literally(prompt)}$`));
    },
    closed,
    end: () => socket.destroy(),
  };
};
