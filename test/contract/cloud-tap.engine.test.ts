import { it } from 'node:test';
import { TAP } from '../../src/emulators/cloud/cloud-engine.ts';
import { cloud } from '../../src/emulators/cloud/kind.ts';
import { networkLacks } from '../../src/emulators/shared/network/privileges.ts';
import { processesOf } from '../../src/processes/end.ts';
import { cloudOf } from '../support/cloud-ports.ts';
import { engineContract } from './engine-contract.ts';
import { freePorts } from '../support/free-port.ts';

const lacks = await networkLacks({ ip: 'iproute2', socat: 'socat' }, 'this test', 'leave it out');
const NAME = `ttap${process.pid % 100_000}`;
/** One node of the suite runs beside another, and a device serves one only: so each gets its own. */
let made = 0;
const lports = await freePorts(40);
const given = () => ({
  ports_mapping: [
    { name: 'out0', port_number: 0, type: 'tap', interface: `${NAME}x${(made += 1)}` },
    { name: 'out1', port_number: 1, type: 'udp', lport: lports[made], rhost: '127.0.0.1', rport: 9 },
  ],
});

if (lacks !== null) {
  it('a cloud with TAP devices keeps the contract of engines', { skip: `${lacks.needs} is missing` }, () => undefined);
} else {
  engineContract('tap', {
    kind: cloud,
    factory: TAP,
    // Read once for each node.
    get given() {
      return given();
    },
    outside: (node, context) => cloudOf(node, context, [`${NAME}x${made}`]),
    dies: {
      async how({ node_id }, _engine, { mark }) {
        const [socat] = await processesOf(node_id, mark);
        process.kill(socat?.pid ?? 0, 'SIGKILL');
      },
    },
  });
}
