import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { EngineContext, KindNode } from '../../src/emulators/kit/contract.ts';
import { processesOf } from '../../src/processes/end.ts';

const run = promisify(execFile);

/** What there is of a cloud: the node in the fabric, its cables, and the processes and TAP devices of its ports. */
export const cloudOf = async (
  { node_id }: KindNode,
  { fabric, mark }: EngineContext,
  taps: readonly string[] = [],
): Promise<string[]> => {
  const { nodes, cables } = await fabric.inventory();
  const { stdout } = await run('ip', ['-brief', 'link']);
  const links = stdout.split('\n').map((line) => line.split(/[ @]/)[0] ?? '');
  return [
    ...nodes.filter(({ spec }) => spec.node_id === node_id).map(() => 'its node of the fabric'),
    ...cables.map(({ cable_id }) => cable_id).filter((id) => id.includes(node_id)),
    ...(await processesOf(node_id, mark)).map(({ pid, started }) => `${pid} of ${started}`),
    ...links.filter((name) => taps.includes(name)),
  ];
};

/** A pair of interfaces of this machine, both up; the other one is in a namespace of its own. */
export interface Pair {
  name: string;
  /** Runs a program where the other one is. */
  there(program: string, ...args: string[]): Promise<string>;
  remove(): Promise<void>;
}

/** `name`: at most 11 characters. The far end is `far0`, with the address when one is given (`198.51.100.2/24`). */
export const makePair = async (name: string, address?: string): Promise<Pair> => {
  const namespace = `test-${name}`;
  const ip = (...args: string[]) => run('ip', args);
  await ip('netns', 'add', namespace);
  await ip('link', 'add', name, 'type', 'veth', 'peer', 'name', 'far0', 'netns', namespace);
  await ip('link', 'set', 'dev', name, 'addrgenmode', 'none', 'up');
  await ip('-n', namespace, 'link', 'set', 'dev', 'lo', 'up');
  await ip('-n', namespace, 'link', 'set', 'dev', 'far0', 'addrgenmode', 'none', 'up');
  if (address !== undefined) await ip('-n', namespace, 'address', 'add', address, 'dev', 'far0');
  return {
    name,
    there: async (program, ...args) => (await run('ip', ['netns', 'exec', namespace, program, ...args])).stdout,
    async remove() {
      await ip('netns', 'delete', namespace);
      // It goes with its pair, but only after a while.
      await ip('link', 'delete', name).catch(() => undefined);
    },
  };
};
