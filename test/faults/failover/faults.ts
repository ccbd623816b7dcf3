import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../../src/common/errors.ts';
import type { Host } from '../computes/host.ts';
import type { Random } from '../prng.ts';
import type { Way } from '../way.ts';
import type { Databases } from './databases.ts';

/** What faults happen to. */
export interface World {
  readonly servers: readonly Host[];
  readonly computes: readonly Host[];
  readonly databases: Databases;
  /** The server that writes; waits until there is one. */
  writer(): Promise<Host>;
  /** The other one. */
  standby(): Promise<Host>;
  /** `POST /v2/handover`, or what `topolog handover` does. */
  handOver(by: 'request' | 'command'): Promise<void>;
  /** There is no writer from now on, until a write is answered that another one has made. */
  timed(what: 'killed' | 'handed over'): void;
}

export interface Fault {
  name: string;
  /** Resolves once it is over: what was killed runs again, the way is as before. */
  inflict(world: World, random: Random): Promise<void>;
}

/** Longest times. Milliseconds. */
const AWAY_MS = 1_500;
const LEFT_MS = 5_000;
/** Longest time until a server runs again, and between two tries. */
const STARTED_MS = 60_000;
const AGAIN_MS = 500;
const PAUSED_MS = 6_000;
const CUT_MS = 5_000;
const SLOW_MS = 4_000;
const DELAY_MS = 200;

const killed = async (hosts: readonly Host[], random: Random, away = AWAY_MS): Promise<void> => {
  await Promise.all(hosts.map((host) => host.kill()));
  await sleep(random.below(away));
  await Promise.all(hosts.map(started));
};

/** As a service manager does it: one that ends as the database is away just then is started again. */
const started = async (host: Host): Promise<void> => {
  for (const until = Date.now() + STARTED_MS; ; await sleep(AGAIN_MS))
    try {
      return await host.serve();
    } catch (error) {
      if (Date.now() > until || !messageOf(error).includes('The database of the log cannot be reached')) throw error;
    }
};

const paused = async (host: Host, random: Random): Promise<void> => {
  host.pause(true);
  await sleep(200 + random.below(PAUSED_MS - 200)).finally(() => host.pause(false));
};

/** Something happens to all ways of one server to the databases for a while. */
const onWays = async (
  { servers, databases }: World,
  random: Random,
  { most, change }: { most: number; change: (way: Way, isOn: boolean) => void },
): Promise<void> => {
  const ways = databases.waysOf(random.below(servers.length));
  for (const way of ways) change(way, true);
  await sleep(100 + random.below(most - 100)).finally(() => {
    for (const way of ways) change(way, false);
  });
};

export const FAULTS: readonly Fault[] = [
  {
    name: 'kill of the writer',
    async inflict(world, random) {
      const writer = await world.writer();
      world.timed('killed');
      // It may be back before its lease has ended, and goes on then.
      await killed([writer], random, LEFT_MS);
    },
  },
  { name: 'kill of the standby', inflict: async (world, random) => killed([await world.standby()], random) },
  { name: 'kill of both servers', inflict: (world, random) => killed(world.servers, random) },
  { name: 'pause of the writer', inflict: async (world, random) => paused(await world.writer(), random) },
  { name: 'pause of the standby', inflict: async (world, random) => paused(await world.standby(), random) },
  {
    name: 'connections cut',
    inflict: (world, random) => onWays(world, random, { most: CUT_MS, change: (way, isOn) => way.refuse(isOn) }),
  },
  {
    name: 'silent connections',
    inflict: (world, random) => onWays(world, random, { most: CUT_MS, change: (way, isOn) => way.cut(isOn) }),
  },
  {
    name: 'slow connections',
    inflict: (world, random) =>
      onWays(world, random, { most: SLOW_MS, change: (way, isOn) => way.delay(isOn ? DELAY_MS : 0) }),
  },
  { name: 'loss of the database', inflict: ({ databases }) => databases.failOver() },
  {
    name: 'restart of the database standby',
    inflict: ({ databases }, random) => databases.withoutStandby(() => sleep(random.below(AWAY_MS))),
  },
  {
    name: 'handover',
    inflict: (world) => world.handOver('request'),
  },
  { name: 'topolog handover', inflict: (world) => world.handOver('command') },
  {
    name: 'kill of a compute',
    inflict: async ({ computes }, random) =>
      killed(
        [random.pick(computes)].filter((host) => host !== undefined),
        random,
      ),
  },
];
