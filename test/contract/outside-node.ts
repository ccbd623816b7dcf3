import type { EngineContext, KindNode } from '../../src/emulators/kit/contract.ts';
import { processesOf } from '../../src/processes/end.ts';

/** What there is of a node that a program runs: processes, the attached ports and the console. */
export const outside = async ({ node_id }: KindNode, { fabric, mark }: EngineContext): Promise<string[]> => {
  const { attachments = [], consoles = [] } = await fabric.inventory();
  return [
    ...(await processesOf(node_id, mark)).map(({ pid, started }) => `${pid} of ${started}`),
    ...attachments.filter(({ port }) => port.node_id === node_id).map(({ to }) => JSON.stringify(to)),
    ...consoles.filter((console) => console.node_id === node_id).map(({ to }) => JSON.stringify(to)),
  ];
};
