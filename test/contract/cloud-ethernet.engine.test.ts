import { after, before, describe } from 'node:test';
import { ETHERNET } from '../../src/emulators/cloud/cloud-engine.ts';
import { cloud } from '../../src/emulators/cloud/kind.ts';
import { networkLacks } from '../../src/emulators/shared/network/privileges.ts';
import { processesOf } from '../../src/processes/end.ts';
import { cloudOf, makePair, type Pair } from '../support/cloud-ports.ts';
import { engineContract } from './engine-contract.ts';

const lacks = await networkLacks({ ip: 'iproute2', socat: 'socat' }, 'this test', 'leave it out');
const NAME = `tveth${process.pid % 100_000}`;
const TAP = `${NAME}t`;

describe('a cloud with interfaces', { skip: lacks === null ? false : `${lacks.needs} is missing` }, () => {
  const pairs: Pair[] = [];
  before(async () => {
    for (const end of ['a', 'b']) pairs.push(await makePair(`${NAME}${end}`));
  });
  after(async () => {
    for (const pair of pairs) await pair.remove();
  });

  let made = 0;
  engineContract('ethernet', {
    kind: cloud,
    factory: ETHERNET,
    // Read once for each node: a TAP device serves one only.
    get given() {
      made += 1;
      return {
        ports_mapping: [
          { name: 'out0', port_number: 0, type: 'ethernet', interface: `${NAME}a` },
          { name: 'out1', port_number: 1, type: 'ethernet', interface: `${NAME}b` },
          { name: 'out2', port_number: 2, type: 'tap', interface: `${TAP}${made}` },
        ],
      };
    },
    outside: (node, context) => cloudOf(node, context, [`${TAP}${made}`]),
    dies: {
      async how({ node_id }, _engine, { mark }) {
        // What looks after one of them, not socat itself, which would be started again.
        const [shell] = (await processesOf(node_id, mark)).filter(({ argv }) => argv[0] === '/bin/sh');
        process.kill(shell?.pid ?? 0, 'SIGKILL');
      },
    },
  });
});
