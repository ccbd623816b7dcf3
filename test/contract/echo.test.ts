import { ECHO, echoKind, readCounter } from '../support/echo-engine.ts';
import { engineContract } from './engine-contract.ts';
import { processesOf } from '../../src/processes/end.ts';

engineContract('echo, whose nodes are processes outside', {
  kind: echoKind,
  factory: ECHO,
  outside: async ({ node_id }, { fabric, mark }) => {
    const { attachments = [] } = await fabric.inventory();
    return [
      ...(await processesOf(node_id, mark)).map(({ pid }) => `process ${pid}`),
      ...attachments.filter(({ port }) => port.node_id === node_id).map(() => 'attachment'),
    ];
  },
  dies: {
    async how({ node_directory }) {
      const counter = await readCounter(node_directory ?? '');
      process.kill(counter?.pid ?? 0, 'SIGKILL');
    },
  },
});
