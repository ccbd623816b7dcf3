import { type Logger, pino } from 'pino';

/** A logger of which only the words are heard, or nothing. */
export const loggerTo = (hear: (message: string) => void = () => undefined): Logger =>
  pino({ base: null, timestamp: false }, { write: (line) => hear((JSON.parse(line) as { msg: string }).msg) });
