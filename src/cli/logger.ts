import { type Logger, pino } from 'pino';
import type { Config } from '../server/config.ts';
import { printableJson, printableMessage } from './printable.ts';

/** What a command says on standard error, beside what it prints. */
export const createLogger = (
  { format, level }: Config['logging'] = { format: 'text', level: 'info' },
  to: NodeJS.WriteStream = process.stderr,
): Logger => {
  const lineOf = format === 'text' ? textOf : printableJson;
  // A stream of our own: pino would write from another thread or later, and a process that ends has said everything.
  return pino({ level }, { write: (line: string) => void to.write(lineOf(line)) });
};

/** The words, with where an error comes from. */
const textOf = (line: string): string => {
  const { msg = '', err } = JSON.parse(line) as { msg?: string; err?: { stack?: string } | null };
  const why = err === undefined ? '' : `: ${err?.stack ?? JSON.stringify(err)}`;
  return `topolog: ${printableMessage(`${msg}${why}`)}\n`;
};
