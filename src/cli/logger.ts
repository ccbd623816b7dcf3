import { type Logger, pino } from 'pino';
import type { Config } from '../server/config.ts';
import { printableJson, printableMessage } from './printable.ts';

/** Logger of a command, which writes to standard error. */
export const createLogger = (
  { format, level }: Config['logging'] = { format: 'text', level: 'info' },
  to: NodeJS.WriteStream = process.stderr,
): Logger => {
  const lineOf = format === 'text' ? textOf : printableJson;
  // pino's own streams write later, or from another thread, and would lose lines when the process ends.
  return pino({ level }, { write: (line: string) => void to.write(lineOf(line)) });
};

/** Message of a log line, with the stack of an error. */
const textOf = (line: string): string => {
  const { msg = '', err } = JSON.parse(line) as { msg?: string; err?: { stack?: string } | null };
  const why = err === undefined ? '' : `: ${err?.stack ?? JSON.stringify(err)}`;
  return `topolog: ${printableMessage(`${msg}${why}`)}\n`;
};
