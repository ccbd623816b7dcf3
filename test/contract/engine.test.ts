import { SIMULATED } from '../../src/emulators/kit/simulated-engine.ts';
import { createKinds } from '../../src/emulators/registry.ts';
import { engineContract, type EngineCase } from './engine-contract.ts';

/** Given so that every kind has ports, and a start something to do. */
const GIVEN: Record<string, NonNullable<EngineCase['given']>> = {
  frame_relay_switch: { mappings: { '1:101': '2:201' } },
  atm_switch: { mappings: { '1:10': '2:20', '1:11:100': '2:21:200' } },
  cloud: {
    ports_mapping: [
      { name: 'out', port_number: 0, type: 'udp', lport: 24_000 + (process.pid % 3000), rhost: '127.0.0.1', rport: 9 },
    ],
  },
  trace_tool: { default_destination: '10.0.0.1', ip_address: '10.0.0.5/24' },
};

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
