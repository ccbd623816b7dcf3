import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../../../processes/identity.ts';
import type { Running } from '../../shared/process/launch.ts';
import { reconnect, type Router, stopRouter } from './router.ts';

/** Milliseconds for a hypervisor to end that was told to: it looks twice a second. */
const QUIT_MS = 2_000;
const LOOK_MS = 20;

/** Stops the router, keeps its configuration (then calls `kept`) and ends its hypervisor, by a signal when that does not answer. */
export const endRouter = async (router: Router, running: Running, kept: () => void): Promise<void> => {
  try {
    await reconnect(router, QUIT_MS);
    if ((await stopRouter(router)).kept) kept();
    await router.hypervisor.send(['hypervisor', 'stop']);
    const until = performance.now() + QUIT_MS;
    while (performance.now() < until) {
      if (!(await isAlive(running))) return;
      await sleep(LOOK_MS);
    }
  } catch {
    // It does not answer.
  }
  try {
    process.kill(running.pid, 'SIGTERM');
  } catch {
    // It has ended.
  }
};
