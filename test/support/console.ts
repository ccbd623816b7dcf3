import { once } from 'node:events';
import { connect } from 'node:net';

/** A telnet client of a node's console. */
export interface Console {
  /** Types a line; resolves with what was printed from then on once `until` is in it. */
  type(line: string, until: RegExp): Promise<string>;
  /** What was printed since the last line was typed, once `pattern` is in it. */
  until(pattern: RegExp): Promise<string>;
  close(): void;
}

/** Connects to a console port. What telnet negotiates is in the output and harms nobody. */
export const openConsole = async (port: number): Promise<Console> => {
  const socket = connect({ host: '127.0.0.1', port });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  let output = '';
  let look: () => void = () => undefined;
  socket.on('data', (chunk: Buffer) => {
    output += chunk.toString('latin1');
    look();
  });
  const until = (pattern: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const closed = (): void => reject(new Error(`the console was closed; it had printed: ${output}`));
      look = () => {
        if (!pattern.test(output)) return;
        socket.off('close', closed);
        resolve(output);
      };
      socket.once('close', closed);
      look();
    });
  return {
    type(line, pattern) {
      output = '';
      socket.write(`${line}\r`);
      return until(pattern);
    },
    until,
    close: () => socket.destroy(),
  };
};
