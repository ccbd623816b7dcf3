import { execFile } from 'node:child_process';
import { recoveredIn, type RunningServer } from '../cluster/running-server.ts';
import { VERSION } from '../common/package.ts';
import type { EngineReport } from '../emulators/kit/engines.ts';
import { type Parts, startServer } from '../main.ts';
import { type Config, readConfig, SERVE_HELP } from '../server/config.ts';
import { createLogger } from './logger.ts';
import { printable } from './printable.ts';

/** `topolog serve`: runs until a signal or a request stops it. */
export const serveCommand = async (args: string[], parts: Parts = {}): Promise<number> => {
  const config = readConfig(args);
  if (config === null) {
    process.stdout.write(SERVE_HELP);
    return 0;
  }
  const notify = notifier(process.env);
  const logger = createLogger(config.logging);
  const server = await startServer(config, logger, parts);
  const told = toldToStop();
  const say = sayer(config.logging);
  const engines = found(server.engines, config.simulate);
  const second = server.gns3Url === null ? '' : `, names gns3 on ${server.gns3Url}`;
  const reading = server.readOnly === null || server.cell !== null ? '' : ', only reading';
  const files = config.filesDir === config.dataDir ? '' : `, files in ${printable(config.filesDir)}`;
  const places = `data in ${printable(config.dataDir)}${files}`;
  say(`topolog ${VERSION} listens on ${server.url}${second}${reading}, ${places}, engines: ${engines}`);
  if (server.cell !== null) say(`It ${server.cell}`);
  else if (server.readOnly !== null)
    say(`It only reads, and every write is refused: ${server.readOnly.reason}; ${server.readOnly.remedy}`);
  const summary = recoveredIn(server);
  if (summary !== null) say(summary);
  notify?.();
  const reason = await Promise.race([told, server.shutdownRequested]);
  logger.info(`${reason} ends the server: ${whatBecomes(config, server)}`);
  const whole = await server.close(reason);
  if (!whole) endNow();
  // Pending requests to services and name servers do not matter any more.
  setTimeout(() => (waitsForDisk() ? endNow() : process.exit(0)), LINGER_MS).unref();
  return 0;
};

/**
 * Returns a function that tells systemd of the start (sd_notify(3)); null without systemd. systemd's own program sends the message, as Node
 * has no Unix datagram sockets. NOTIFY_SOCKET is removed, so that child processes do not inherit it.
 */
const notifier = (env: NodeJS.ProcessEnv): (() => void) | null => {
  const { NOTIFY_SOCKET, ...rest } = env;
  if (NOTIFY_SOCKET === undefined) return null;
  delete env['NOTIFY_SOCKET'];
  return () => {
    const unsent = (error: Error | null): void => {
      if (error !== null) process.stderr.write(`topolog: systemd is not told of the start: ${error.message}\n`);
    };
    execFile('systemd-notify', ['--ready'], { env: { ...rest, NOTIFY_SOCKET } }, unsent);
  };
};

/** Tells what happens to running nodes when the server ends. */
const whatBecomes = ({ keepRunning }: Config, server: RunningServer): string => {
  const running = server.runningNodes();
  if (running === 0) return 'no node runs';
  const nodes = `${running} running node${running === 1 ? '' : 's'}`;
  return keepRunning || server.readOnly !== null
    ? `${nodes} ${running === 1 ? 'goes' : 'go'} on, and the next start takes over what runs`
    : `${nodes} ${running === 1 ? 'is' : 'are'} stopped, and the next start starts what ran`;
};

const LINGER_MS = 2_000;

/** `process.exit` waits for threads that hang in the disk, and then never ends. */
const endNow = (): void => void process.kill(process.pid, 'SIGKILL');

const waitsForDisk = (): boolean => process.getActiveResourcesInfo().some((resource) => resource.startsWith('FSReq'));

/** A second signal this soon is the same one: a terminal and npm both deliver it. */
const SAME_SIGNAL_MS = 1_000;

/** Resolves with the signal's name; a later second signal ends the process at once. */
const toldToStop = (): Promise<string> =>
  new Promise((resolve) => {
    let told: number | null = null;
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.on(signal, () => {
        if (told !== null && performance.now() - told > SAME_SIGNAL_MS) endNow();
        told ??= performance.now();
        resolve(signal);
      });
  });

/** Prints on standard output, as the log is written to standard error. */
const sayer = ({ format }: Config['logging']): ((line: string) => void) => {
  if (format === 'text') return (line) => void process.stdout.write(`${line}\n`);
  const logger = createLogger({ format, level: 'info' }, process.stdout);
  return (line) => logger.info(line);
};

const found = (engines: EngineReport[], simulate: boolean): string => {
  const there = engines.filter((e) => e.available).map((e) => `${e.kind}/${e.engine}`);
  return [...there, ...(simulate ? ['simulated for the others'] : [])].join(' ');
};
