import { z } from 'zod';
import { conflict } from '../../common/errors.ts';
import type { NodeOperation } from '../kit/contract.ts';

/** A network of the program that no other node has, for those who attach adapters themselves. */
export const allocateVmnet: NodeOperation = {
  method: 'POST',
  path: 'interfaces/vmnet',
  summary: 'Give a free vmnet interface to a machine',
  code: 201,
  output: z.strictObject({ vmnet: z.string() }),
  run: (node, args, { engine }, signal) => {
    if (engine?.operate === undefined)
      throw conflict(
        `${node.name} has no vmnet interface to give: its links attach the adapters of a running machine by themselves`,
      );
    return engine.operate('interfaces/vmnet', node, args, signal);
  },
};
