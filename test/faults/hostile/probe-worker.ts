import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

/** Milliseconds between an answer and the next request. */
const PAUSE_MS = 5;

const url = new URL('/v2/compute/version', String(workerData));
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const taken: number[] = [];
let failed = 0;

const read = (): Promise<number | undefined> =>
  new Promise((resolve) => {
    const sent = request(url, { agent }, (answer) => {
      answer.resume();
      answer.once('close', () => resolve(answer.statusCode));
    });
    sent.once('error', () => resolve(undefined));
    sent.end();
  });

const of = (share: number): number => taken[Math.min(taken.length - 1, Math.floor(taken.length * share))] ?? 0;

let running = true;
parentPort?.once('message', () => (running = false));
await read();
parentPort?.postMessage('ready');
while (running) {
  const from = performance.now();
  if ((await read()) !== 200) failed++;
  taken.push(performance.now() - from);
  await sleep(PAUSE_MS);
}
taken.sort((a, b) => a - b);
parentPort?.postMessage({ count: taken.length, median: of(0.5), p99: of(0.99), worst: of(1), failed });
agent.destroy();
