import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../prng.ts';
import type { Host } from './host.ts';

/** Something that happens to a machine, or to the way to it. */
export interface Fault {
  name: string;
  of: 'controller' | 'far' | 'any';
  /** Resolves once it is over: what was killed runs again, the way is as before. */
  inflict(host: Host, random: Random): Promise<void>;
}

/** Longest time that a server is away, that a way is cut (a compute is given up after 5 s), and that it is slow. Milliseconds. */
const AWAY_MS = 1_500;
const CUT_MS = 8_000;
const SLOW_MS = 3_000;
const DELAY_MS = 200;

const killServer = async (host: Host, random: Random): Promise<void> => {
  await host.kill();
  await sleep(random.below(AWAY_MS));
  await host.serve();
};

const KILL_CONTROLLER: Fault = { name: 'kill of', of: 'controller', inflict: killServer };
const KILL_COMPUTE: Fault = { name: 'kill of compute', of: 'far', inflict: killServer };

const KILL_FABRIC: Fault = {
  name: 'kill of the fabric of',
  of: 'any',
  inflict: (host) => host.killFabric(),
};

const KILL_BOTH: Fault = {
  name: 'kill of server and fabric of',
  of: 'far',
  async inflict(host, random) {
    await host.killFabric();
    await killServer(host, random);
  },
};

const CUT: Fault = {
  name: 'cut of',
  of: 'far',
  async inflict(host, random) {
    host.cut(true);
    try {
      await sleep(200 + random.below(CUT_MS));
    } finally {
      host.cut(false);
    }
  },
};

const DELAY: Fault = {
  name: 'delay of',
  of: 'far',
  async inflict(host, random) {
    host.delay(DELAY_MS);
    try {
      await sleep(random.below(SLOW_MS));
    } finally {
      host.delay(0);
    }
  },
};

export const FAULTS: readonly Fault[] = [KILL_CONTROLLER, KILL_COMPUTE, KILL_FABRIC, KILL_BOTH, CUT, DELAY];
