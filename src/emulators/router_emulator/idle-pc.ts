import { z } from 'zod';
import { conflict } from '../../common/errors.ts';
import type { NodeOperation } from '../kit/contract.ts';

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

export const idlePc: readonly NodeOperation[] = [
  measured('auto_idlepc', 'Find an idle-PC value that works', z.strictObject({ idlepc: z.string() })),
  measured('idlepc_proposals', 'Idle-PC values that may work, the best first', z.array(z.string())),
];
