import { conflict } from '../../../common/errors.ts';
import type { Hypervisor } from './hypervisor.ts';
import type { Router } from './router.ts';

/** Milliseconds: the emulator watches the router run for about ten seconds. */
const PATIENCE_MS = 60_000;
/** `0x60aa1da0 [57]`: an address, and how often in 100 the router was seen to wait there. */
const PROPOSAL = /^(0x[0-9a-f]+) \[(\d+)\]$/;
/** An idle loop is left for an interrupt about this often; a higher count is a loop that does work. */
const LIKELY = [50, 60] as const;

/** What the operations of idle-pc.ts answer. */
export const idlePcsOf = async (
  operation: string,
  { hypervisor, vm, settings }: Pick<Router, 'hypervisor' | 'vm' | 'settings'>,
  name: string,
): Promise<unknown> => {
  const found = await proposedIdlePcs(hypervisor, vm, settings.idlepc, name);
  return operation === 'auto_idlepc' ? { idlepc: likeliestOf(found, name) } : found;
};

/** What the emulator proposes, with counts. While it watches, the router runs without an idle-PC value; then it has `now` again. */
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
