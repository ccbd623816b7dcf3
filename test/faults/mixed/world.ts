import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { containersOf } from '../../../src/emulators/container/containers.ts';
import { openService } from '../../../src/emulators/container/service.ts';
import { findMarked } from '../../../src/processes/marker.ts';
import type { JointLab } from '../../joint/joint-lab.ts';
import type { Machine } from './machines.ts';

/** Programs of which a node has one, whatever children it has; others (relays, helpers) may be several. */
const PROGRAMS = /^(vpcs|qemu-system-\w+)$/;

/** Emulators that this machine runs, by their node. A child of one that is counted (VPCS has one) is not counted. */
const runningOf = async (lab: JointLab): Promise<Map<string, string[]>> => {
  const emulators = (await findMarked(lab.mark)).filter(({ argv }) => PROGRAMS.test(path.basename(argv[0] ?? '')));
  const pids = new Set(emulators.map(({ pid }) => pid));
  const found = new Map<string, string[]>();
  for (const { node_id, pid } of emulators)
    if (!pids.has(await parentOf(pid))) found.set(node_id, [...(found.get(node_id) ?? []), `process ${pid}`]);
  return found;
};

/** Field 4 of proc(5)'s stat, behind the name in parentheses. */
const parentOf = async (pid: number): Promise<number> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
};

/** What really runs against the records: none twice, none that no record has. */
export const compareWorld = async (lab: JointLab, machines: readonly Machine[]): Promise<string[]> => {
  const running = await runningOf(lab);
  const service = openService(lab.podman.socket);
  const problems: string[] = [];
  const expect = async (name: string, node_id: string, sort: 'process' | 'container', status: string) => {
    const there = sort === 'process' ? (running.get(node_id) ?? []) : await containersOf(service, node_id, lab.mark);
    if (there.length !== (status === 'started' ? 1 : 0))
      problems.push(`${name} is ${status} and has ${there.length}: ${there.join()}`);
  };
  const states = await lab.each('status');
  await expect('VM', lab.ids.VM, 'process', String(states['VM']));
  await expect('VPCS', lab.ids.VPCS, 'process', String(states['VPCS']));
  await expect('BOX', lab.ids.BOX, 'container', String(states['BOX']));
  for (const { name, node_id, status } of machines)
    if (name !== 'pc') await expect(name, node_id, name === 'container' ? 'container' : 'process', status);
  const known = new Set([...Object.values(lab.ids), ...machines.map(({ node_id }) => node_id)]);
  for (const [node_id, there] of running)
    if (!known.has(node_id)) problems.push(`${there.join()} runs for ${node_id}, which nobody has`);
  return problems;
};

/** Process of each machine of the joint lab that lives outside: they stay the same whatever is killed. */
export const identities = async (lab: JointLab): Promise<string> => {
  const running = await runningOf(lab);
  const box = await containersOf(openService(lab.podman.socket), lab.ids.BOX, lab.mark);
  return JSON.stringify([running.get(lab.ids.VM), running.get(lab.ids.VPCS), box]);
};
