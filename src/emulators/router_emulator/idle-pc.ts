import { z } from 'zod';
import { LENGTHS } from '../../common/bounds.ts';
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
