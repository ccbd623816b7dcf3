import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeAtmCell, encodeAtmCell } from '../../../src/fabric/codecs/atm-cell.ts';
import {
  decodeLmi,
  encodeFrameRelayAddress,
  encodeLmi,
  type LmiType,
  readDlci,
} from '../../../src/fabric/codecs/frame-relay.ts';
import { atmSwitch } from '../../../src/fabric/models/switches/atm-switch.ts';
import { frameRelaySwitch } from '../../../src/fabric/models/switches/frame-relay-switch.ts';
import { parseAtmMappings, parseFrameRelayMappings, portsOf } from '../../../src/fabric/models/switches/mappings.ts';
import { type BenchNode, createBench } from './bench.ts';

function watch(node: BenchNode): [port: number, frame: Uint8Array][] {
  const seen: [number, Uint8Array][] = [];
  for (const { port_number } of node.spec.ports)
    node.port(port_number).connect((frame) => seen.push([port_number, frame]));
  return seen;
}

const ports = (...numbers: number[]) => ({
  ports: numbers.map((port_number) => ({ adapter_number: 0, port_number })),
});

const frame = (dlci: number): Uint8Array =>
  new Uint8Array([
    ...encodeFrameRelayAddress({ dlci, commandResponse: true, fecn: false, becn: true, discardEligible: true }),
    ...[3, 0xcc, 1, 2, 3],
  ]);

describe('frame relay switch', () => {
  const start = () => {
    const mappings = { '1:101': '2:202', '1:102': '3:102' };
    const node = createBench().node(frameRelaySwitch, { mappings }, 3, ports(1, 2, 3));
    return { node, seen: watch(node) };
  };

  it('switches both ways, changing nothing but the DLCI', () => {
    const { node, seen } = start();
    node.port(1).receive(frame(101));
    node.port(2).receive(frame(202));
    node.port(3).receive(frame(102));
    assert.deepEqual(seen, [
      [2, frame(202)],
      [1, frame(101)],
      [1, frame(102)],
    ]);
  });

  it('drops what has no circuit', () => {
    const { node, seen } = start();
    node.port(1).receive(frame(202));
    node.port(2).receive(frame(101));
    node.port(1).receive(Uint8Array.of(0x18));
    assert.deepEqual(seen, []);
  });

  it('answers status enquiries of each kind with the DLCIs of the port, active', () => {
    for (const type of ['ansi', 'q933', 'cisco'] as LmiType[]) {
      const { node, seen } = start();
      const enquiry = { type, message: 'status_enquiry' as const, sendSequence: 1, receiveSequence: 0, active: [] };
      node.port(1).receive(encodeLmi({ ...enquiry, report: 0 }));
      node.port(1).receive(encodeLmi({ ...enquiry, report: 1, sendSequence: 2, receiveSequence: 1 }));
      const status = { type, message: 'status' };
      assert.deepEqual(
        seen.map(([port, answer]) => [port, decodeLmi(answer)]),
        [
          [1, { ...status, report: 0, sendSequence: 1, receiveSequence: 1, active: [101, 102] }],
          [1, { ...status, report: 1, sendSequence: 2, receiveSequence: 2, active: [] }],
        ],
      );
      assert.equal(readDlci(seen[0]?.[1] ?? new Uint8Array(0)), type === 'cisco' ? 1023 : 0);
    }
  });

  it('counts its sequence from 1 to 255 and never says 0', () => {
    const { node, seen } = start();
    const enquiry = { type: 'ansi' as const, message: 'status_enquiry' as const, receiveSequence: 0, active: [] };
    for (let n = 0; n < 256; n++) node.port(1).receive(encodeLmi({ ...enquiry, report: 1, sendSequence: n & 255 }));
    const sent = seen.map(([, answer]) => decodeLmi(answer)?.sendSequence);
    assert.deepEqual(sent.slice(-2), [255, 1]);
  });

  it('does not answer answers', () => {
    const { node, seen } = start();
    const status = { type: 'ansi' as const, message: 'status' as const, report: 0, active: [] };
    node.port(1).receive(encodeLmi({ ...status, sendSequence: 1, receiveSequence: 1 }));
    assert.deepEqual(seen, []);
  });

  it('takes new mappings while running', () => {
    const { node, seen } = start();
    node.model.configure({ ...node.spec, config: { mappings: { '1:101': '3:303' } } });
    node.port(1).receive(frame(101));
    node.port(1).receive(frame(102));
    assert.deepEqual(seen, [[3, frame(303)]]);
  });
});

describe('ATM switch', () => {
  const cell = (vpi: number, vci: number): Uint8Array =>
    encodeAtmCell({ vpi, vci, payloadType: 1, lowPriority: true, payload: new Uint8Array(48).fill(7) });
  const start = () => {
    const mappings = { '1:10': '2:20', '1:10:100': '3:30:300', '1:11:5': '2:21:6' };
    const node = createBench().node(atmSwitch, { mappings }, 3, ports(1, 2, 3));
    return { node, seen: watch(node) };
  };

  it('switches channels, and paths with all their other channels', () => {
    const { node, seen } = start();
    for (const [vpi, vci] of [
      [10, 100],
      [10, 101],
      [11, 5],
      [11, 6],
    ] as const) {
      node.port(1).receive(cell(vpi, vci));
    }
    node.port(2).receive(cell(20, 77));
    node.port(3).receive(cell(30, 300));
    assert.deepEqual(seen, [
      [3, cell(30, 300)],
      [2, cell(20, 101)],
      [2, cell(21, 6)],
      [1, cell(10, 77)],
      [1, cell(10, 100)],
    ]);
  });

  it('takes several cells in a frame and drops damaged headers', () => {
    const { node, seen } = start();
    const damaged = cell(11, 5);
    damaged[0] = 0x10;
    node.port(1).receive(new Uint8Array([...cell(10, 100), ...damaged, ...cell(11, 5)]));
    node.port(1).receive(cell(11, 5).subarray(0, 52));
    assert.deepEqual(seen, [
      [3, cell(30, 300)],
      [2, cell(21, 6)],
    ]);
    assert.equal(decodeAtmCell(seen[0]?.[1] ?? damaged)?.payload[47], 7);
  });
});

describe('mappings of circuits', () => {
  it('are read, and their ports listed in order', () => {
    const mappings = parseFrameRelayMappings({ '10:101': '2:202', '2:202': '10:101' });
    assert.deepEqual(mappings[0], { from: { port: 10, dlci: 101 }, to: { port: 2, dlci: 202 } });
    assert.deepEqual(portsOf(mappings), [2, 10]);
    assert.deepEqual(parseAtmMappings({ '1:2': '3:4' })[0]?.to, { port: 3, vpi: 4, vci: null });
    assert.deepEqual(parseAtmMappings({ '1:2:33': '3:4:44' })[0]?.to, { port: 3, vpi: 4, vci: 44 });
  });

  it('are refused with a sentence that names the entry', () => {
    const cases: [unknown, RegExp][] = [
      [null, /mappings must be an object/],
      [[], /mappings must be an object/],
      [{ '1:101': 5 }, /mappings: 5 must be text/],
      [{ '1:101': '2' }, /"2" must be like 1:101/],
      [{ '1:101': '2:1024' }, /"2:1024" must be like 1:101/],
      [{ '1:0': '2:100' }, /"1:0" has DLCI 0, which is for link management/],
      [{ '1:101': '1:101' }, /1:101 leads to itself/],
      [{ '1:101': '2:202', '3:303': '2:202' }, /2:202 leads to 1:101 and to 3:303/],
    ];
    for (const [mappings, sentence] of cases) assert.throws(() => parseFrameRelayMappings(mappings), sentence);
    assert.throws(() => parseAtmMappings({ '1:2': '3:4:5' }), /1:2 and 3:4:5 must both have a VCI or both have none/);
    assert.throws(() => parseAtmMappings({ '1:4096': '3:4' }), /"1:4096" must be like/);
  });
});
