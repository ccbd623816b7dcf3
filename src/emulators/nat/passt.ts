import { stat } from 'node:fs/promises';
import { TopologError } from '../../common/errors.ts';
import { until } from '../../common/promises.ts';
import type { EngineContext, EngineFactory, KindNode, Missing } from '../kit/contract.ts';
import { which } from '../shared/process/which.ts';
import { makeNatSockets, removeNatSockets } from './nat-sockets.ts';
import { natEngine } from './nat-engine.ts';
import { natScript, partsOfScript, socketIn, withoutNoise } from './passt-arguments.ts';
import type { NatPlan, NatWay } from './way.ts';

/** Leads out of the lab by passt, which needs no privileges: one for each port. */
export const PASST: EngineFactory = natEngine('passt', (context) => passtWay(context));

const LOOK_MS = 10;
const MISSING: Missing = { needs: 'passt', install: 'apt-get install passt' };

const passtWay = (context: EngineContext): NatWay => ({
  name: 'passt',
  missing: async () => ((await which('passt')) === null ? MISSING : null),
  async prepare(node) {
    const passt = await which('passt');
    if (passt === null) throw new TopologError('engine_missing', { what: node.name, ...MISSING });
    return planOf(node, passt, await makeNatSockets(node, context));
  },
  recall(node, script) {
    const { passt, directory } = partsOfScript(script) ?? { passt: '', directory: '' };
    const plan = planOf(node, passt, directory);
    return Promise.resolve(plan.script === script ? plan : null);
  },
  clean: ({ node_id }) => removeNatSockets(node_id, context),
  told: withoutNoise,
});

const planOf = ({ ports }: Pick<KindNode, 'ports'>, passt: string, directory: string): NatPlan => {
  const numbers = ports.map(({ port_number }) => port_number);
  return {
    script: natScript(passt, directory, numbers),
    to: ({ port_number }) => ({ type: 'stream', path: socketIn(directory, port_number), listen: false }),
    ready: (signal) =>
      areThere(
        numbers.map((number) => socketIn(directory, number)),
        signal,
      ),
  };
};

/** Resolves once every socket has been made, which passt does before it serves. */
const areThere = async (sockets: readonly string[], signal: AbortSignal): Promise<void> => {
  for (const socket of sockets) await until(() => stat(socket).then(Boolean, () => false), { every: LOOK_MS, signal });
};
