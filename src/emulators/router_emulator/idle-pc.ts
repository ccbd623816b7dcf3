import { z } from 'zod';
import { LENGTHS } from '../../common/bounds.ts';
import { conflict } from '../../common/errors.ts';
import type { NodeOperation } from '../kit/contract.ts';
import type { Hypervisor } from './hypervisor/hypervisor.ts';
import type { Router } from './hypervisor/router.ts';

/** Addresses of a router's idle loop, found by watching it run: only an engine that runs its image can tell them. */
const measured = (path: string, summary: string, output: z.ZodType): NodeOperation => ({
  method: 'GET',
  path,
  controller: `router_emulator/${path}`,
  summary,
  code: 200,
  output,
  requires: 'started',
  run: (node, args, { engine }, signal) => {
    if (engine?.operate === undefined)
      throw conflict(
        `${node.name}: ${engine?.name ?? 'no'} engine cannot measure idle-PC values; they need Dynamips, which runs the router from its own image`,
      );
    return engine.operate(path, node, args, signal);
  },
});

/** An image that no node runs yet. */
const image = z.strictObject({
  platform: z.string().max(LENGTHS.name).min(1),
  image: z.string().max(LENGTHS.line).min(1),
  ram: z.int().min(1),
});

export const idlePc: readonly NodeOperation[] = [
  {
    ...measured('auto_idlepc', 'Find an idle-PC value that works', z.strictObject({ idlepc: z.string() })),
    alone: {
      path: 'auto_idlepc',
      summary: 'Find an idle-PC value for a router image',
      name: 'AUTOIDLEPC',
      body: image,
    },
  },
  measured('idlepc_proposals', 'Idle-PC values that may work, the best first', z.array(z.string())),
];

/** Milliseconds: the emulator watches the router run for about ten seconds. */
const PATIENCE_MS = 60_000;
/** `0x60aa1da0 [57]`: an address, and how often in 100 the router was seen to wait there. */
const PROPOSAL = /^(0x[0-9a-f]+) \[(\d+)\]$/;
/** An idle loop is left for an interrupt about this often; a higher count is a loop that does work. */
const LIKELY = [50, 60] as const;

/** Answers of the operations above. */
export const idlePcsOf = async (
  operation: string,
  { hypervisor, vm, settings }: Pick<Router, 'hypervisor' | 'vm' | 'settings'>,
  name: string,
): Promise<unknown> => {
  const found = await proposedIdlePcs(hypervisor, vm, settings.idlepc, name);
  return operation === 'auto_idlepc' ? { idlepc: likeliestOf(found, name) } : found;
};

/** Proposals of the emulator, with counts. While it watches, the router runs without an idle-PC value; then it has `now` again. */
const proposedIdlePcs = async (hypervisor: Hypervisor, vm: string, now: string, name: string): Promise<string[]> => {
  const set = (value: string) => hypervisor.send(['vm', 'set_idle_pc_online', vm, 0, value]);
  await set('0x0');
  try {
    const { info } = await hypervisor.send(['vm', 'get_idle_pc_prop', vm, 0], PATIENCE_MS);
    const found = info.map((line) => line.trim()).filter((line) => PROPOSAL.test(line));
    if (found.length === 0)
      throw conflict(`${name}: no idle-PC value was found; let it boot to its prompt and try again`);
    return found;
  } finally {
    await set(now);
  }
};

/** The address of the likeliest proposal. */
const likeliestOf = (proposals: readonly string[], name: string): string => {
  const all = proposals.flatMap((text) => {
    const [, address = '', count = ''] = PROPOSAL.exec(text) ?? [];
    return address === '' ? [] : [{ address, count: Number(count) }];
  });
  const likely = all.find(({ count }) => count >= LIKELY[0] && count <= LIKELY[1]) ?? all[0];
  if (likely === undefined) throw conflict(`${name}: no idle-PC value was found`);
  return likely.address;
};
