import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { collectAtOnce, loadTrim } from '../../src/memory/reclaim.ts';

/** Loaded into a server that is watched: tells what it holds whenever its parent asks. */

export interface Held {
  /** Octets of objects that are in use, after a collection of those that are not. */
  heap: number;
  /** Octets of the process; on Linux without files that it has mapped, as those are the log on its disk. */
  process: number;
  /** Connections. */
  sockets: number;
}

/** What was done last is still being put away. Milliseconds. */
const SETTLE_MS = 300;

const ownBytes = (): number => {
  if (process.platform !== 'linux') return process.memoryUsage.rss();
  const [, kilobytes = '0'] = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
};

/** All that is free goes back to the system, so that what the process has is what it needs. */
const tell = async (): Promise<void> => {
  const trim = await loadTrim();
  await collectAtOnce();
  await sleep(SETTLE_MS);
  await collectAtOnce();
  trim?.();
  const { heapUsed, external } = process.memoryUsage();
  const sockets = process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
  process.send?.({ heap: heapUsed + external, process: ownBytes(), sockets } satisfies Held);
};
process.on('message', () => void tell());
// To be asked is no reason to stay.
process.channel?.unref();
