import { SIMULATED } from '../../src/emulators/kit/simulated-engine.ts';
import { createKinds } from '../../src/emulators/registry.ts';
import { engineContract, type EngineCase } from './engine-contract.ts';
import { GIVEN } from './given.ts';

/** Types the command that ends it. */
const quits: EngineCase['dies'] = {
  async how(node, _engine, { fabric }) {
    const console = await fabric.console(node.node_id);
    console.on('error', () => undefined);
    console.resume();
    console.write('quit\r\n');
  },
};

for (const kind of createKinds().all()) {
  const given = GIVEN[kind.name] ?? {};
  const embedded = kind.engines.find((factory) => factory.name === 'embedded');
  if (embedded !== undefined) {
    const dies = kind.capabilities.console_types[0] === 'telnet' ? { dies: quits } : {};
    engineContract(`embedded of ${kind.name}`, { kind, factory: embedded, given, ...dies });
  }
  const udp = kind.engines.find((factory) => factory.name === 'udp');
  if (udp !== undefined) engineContract(`udp of ${kind.name}`, { kind, factory: udp, given });
  engineContract(`simulated of ${kind.name}`, {
    kind,
    factory: SIMULATED,
    given,
    dies: { given: { simulate: { exit_after_ms: 20 } }, how: () => Promise.resolve() },
  });
}
