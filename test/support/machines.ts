import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** One machine of a network that a test makes: a network namespace. */
export interface Machine {
  name: string;
  address: string;
  /** What comes before a program and its arguments so that it runs there; its process is that of the program. */
  prefix: readonly string[];
  /** Cuts its cable, or mends it. */
  cut(isCut: boolean): void;
}

export interface Machines {
  /** Address of this machine in their network. */
  own: string;
  machines: readonly Machine[];
  /** Ends what still runs there, and takes all of it away. Does nothing the second time. */
  remove(): void;
}

/** Ports of the bridge that all of them are at, and of the machine's own end. */
const OWN = 254;
const NETWORKS = 250;

const ip = (...args: string[]): string =>
  execFileSync('ip', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const inside = (namespace: string, ...args: string[]): string => ip('-n', namespace, ...args);

/** Why there can be none here; null: there can. */
export const whyNoMachines = (): string | null => {
  if (process.platform !== 'linux') return 'network namespaces are there on Linux only';
  if (process.getuid?.() !== 0) return 'network namespaces need root';
  const name = `tl${process.pid}-try`;
  try {
    ip('netns', 'add', name);
    ip('netns', 'delete', name);
    return null;
  } catch (error) {
    return `no network namespace can be made: ${error instanceof Error ? error.message.trim() : String(error)}`;
  }
};

/** Addresses 198.18.x.0/24 (RFC 2544: for measurements) that nothing here has. */
const freeNetwork = (): string => {
  const taken = ip('-o', 'address') + ip('route');
  for (let n = 0; n < NETWORKS; n++) {
    const network = `198.18.${(process.pid + n) % NETWORKS}`;
    if (!taken.includes(`${network}.`)) return network;
  }
  throw new Error('all networks of 198.18.0.0/16 are taken');
};

/** Namespaces on a bridge, which is in one of its own: nothing of this machine's network is touched but for one interface more. */
export const createMachines = (count: number): Machines => {
  sweep();
  const base = `tl${process.pid}`;
  const bridge = `${base}-sw`;
  const names = Array.from({ length: count }, (_, n) => `${base}-${n}`);
  const network = freeNetwork();
  const own = `${network}.${OWN}`;
  let isThere = true;
  const remove = (): void => {
    if (!isThere) return;
    isThere = false;
    quietly(() => ip('link', 'delete', base));
    for (const name of [...names, bridge]) end(name);
  };
  try {
    ip('netns', 'add', bridge);
    inside(bridge, 'link', 'add', 'br0', 'type', 'bridge', 'forward_delay', '0');
    inside(bridge, 'link', 'set', 'br0', 'up');
    ip('link', 'add', base, 'type', 'veth', 'peer', 'name', 'own', 'netns', bridge);
    plug(bridge, 'own');
    ip('address', 'add', `${own}/24`, 'dev', base);
    ip('link', 'set', base, 'up');
    const machines = names.map((name, n) =>
      createMachine({ name, bridge, port: `m${n}`, address: `${network}.${n + 1}` }),
    );
    return { own, machines, remove };
  } catch (error) {
    remove();
    throw error;
  }
};

const plug = (bridge: string, port: string): void => {
  inside(bridge, 'link', 'set', port, 'master', 'br0');
  inside(bridge, 'link', 'set', port, 'up');
};

interface Place {
  name: string;
  bridge: string;
  port: string;
  address: string;
}

const createMachine = ({ name, bridge, port, address }: Place): Machine => {
  ip('netns', 'add', name);
  inside(name, 'link', 'set', 'lo', 'up');
  inside(name, 'link', 'add', 'eth0', 'type', 'veth', 'peer', 'name', port, 'netns', bridge);
  inside(name, 'address', 'add', `${address}/24`, 'dev', 'eth0');
  inside(name, 'link', 'set', 'eth0', 'up');
  plug(bridge, port);
  return {
    name,
    address,
    prefix: ['ip', 'netns', 'exec', name],
    // The bridge's end: the machine keeps its address and its routes.
    cut: (isCut) => void inside(bridge, 'link', 'set', port, isCut ? 'down' : 'up'),
  };
};

/** Ends what runs in a namespace, and takes it away. */
const end = (name: string): void => {
  quietly(() => {
    for (const pid of ip('netns', 'pids', name).split('\n').filter(Boolean))
      quietly(() => process.kill(Number(pid), 'SIGKILL'));
  });
  quietly(() => ip('netns', 'delete', name));
};

/** What is gone already needs no end. */
const quietly = (work: () => unknown): void => {
  try {
    work();
  } catch {
    // It was not there.
  }
};

/** Takes away what a process left that was killed. */
const sweep = (): void => {
  for (const [, name = '', pid] of ip('netns', 'list').matchAll(/^(tl(\d+)-\w+)/gm))
    if (!existsSync(`/proc/${pid}`)) end(name);
};
