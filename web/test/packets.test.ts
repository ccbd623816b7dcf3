import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sortedBy } from '../src/packets/conversation-table.tsx';
import { hopsOf } from '../src/packets/packet-journey.tsx';
import { missingPage, NO_PAGES, packetAt, takePage } from '../src/packets/pages.ts';
import { rowAfter, scrollTo, windowOf } from '../src/packets/rows.ts';
import type { Conversation, PacketField, PacketPage } from '../src/packets/server.ts';
import { fieldAt, fieldOfOctet, rowsOf, stepOf } from '../src/packets/field-tree.tsx';
import { NO_RECORDS, type Link, type Node } from '../src/store/records.ts';

const HEIGHT = 240;
const ROW = 24;

describe('the rows of a list of packets', () => {
  it('are those in sight, with some to spare', () => {
    assert.deepEqual(windowOf(1000, { top: 2400, height: HEIGHT }, ROW), {
      from: 90,
      to: 121,
      before: 2160,
      behind: 21_096,
    });
    assert.deepEqual(windowOf(5, { top: 0, height: HEIGHT }, ROW), { from: 0, to: 5, before: 0, behind: 0 });
  });

  it('of a list that is higher than browsers draw are all reached by scrolling', () => {
    const rows = 1_000_000;
    const whole = 8_000_000;
    for (const top of [0, 1, 12_345, 4_000_000, whole - HEIGHT]) {
      const { from, to, before, behind } = windowOf(rows, { top, height: HEIGHT }, ROW);
      assert.ok(to - from >= HEIGHT / ROW && before >= 0 && behind >= 0);
      assert.ok(Math.abs(before + (to - from) * ROW + behind - whole) < 1, 'it is as high wherever one is');
      assert.ok(before <= top && before + (to - from) * ROW >= top + HEIGHT, 'what is drawn is in sight');
    }
    assert.equal(windowOf(rows, { top: 0, height: HEIGHT }, ROW).from, 0);
    assert.equal(windowOf(rows, { top: whole - HEIGHT, height: HEIGHT }, ROW).to, rows);
  });

  it('come into sight when a key leads to them, in lists of any length', () => {
    assert.equal(rowAfter('ArrowDown', null, 10, 5), 0);
    assert.equal(rowAfter('End', 3, 10, 5), 9);
    assert.equal(rowAfter('PageUp', 3, 10, 5), 0);
    assert.equal(rowAfter('a', 3, 10, 5), null);
    assert.equal(rowAfter('ArrowDown', null, 0, 5), null);
    for (const rows of [100, 1_000_000])
      for (const row of [0, 50, rows - 1]) {
        const top = scrollTo(row, rows, { top: 300, height: HEIGHT }, ROW);
        const { from, to } = windowOf(rows, { top, height: HEIGHT }, ROW);
        assert.ok(row >= from && row < to, `${row} of ${rows}`);
      }
  });
});

const packets = (from: number, count: number): PacketPage['packets'] =>
  Array.from({ length: count }, (_, n) => ({
    ...{ number: from + n + 1, time: 1, source: '', destination: '', protocol: 'ARP', length: 60, summary: '' },
  }));
const answer = (found: number, list: PacketPage['packets']): PacketPage => ({
  ...{ total: found, scanned: found, found, complete: true, decoded_by: 'topolog', packets: list },
});

describe('the pages of a capture', () => {
  it('are asked for when they are in sight and not known, or have got more', () => {
    const first = takePage(NO_PAGES, 0, answer(450, packets(0, 200)));
    assert.equal(packetAt(first, 199)?.number, 200);
    assert.equal(packetAt(first, 200), undefined);
    assert.equal(missingPage(first, [0]), null);
    assert.equal(missingPage(first, [0, 1]), 1);
    const last = takePage(first, 2, answer(450, packets(400, 50)));
    assert.equal(missingPage(last, [2]), null);
    assert.equal(missingPage(takePage(last, 0, answer(460, packets(0, 200))), [2]), 2);
  });

  it('are forgotten when there are fewer packets: it is another file', () => {
    const before = takePage(NO_PAGES, 1, answer(450, packets(200, 200)));
    assert.equal(packetAt(takePage(before, 0, answer(3, packets(0, 3))), 200), undefined);
  });
});

const field = (name: string, at: number, length: number, fields: PacketField[] = []): PacketField => ({
  ...{ name, label: name, text: '', at, length, fields },
});
const TREE = [
  field('frame', 0, 40, [field('frame.len', 0, 0)]),
  field('eth', 0, 14, [field('eth.dst', 0, 6), field('eth.src', 6, 6)]),
  field('dns', 14, 26, [field('dns.qry', 20, 20, [field('dns.qry.name', 20, 16)])]),
];

describe('the tree of fields', () => {
  it('finds the smallest field of an octet, and what has to be open to see it', () => {
    assert.deepEqual(fieldOfOctet(TREE, 7), { path: '1.1', names: ['eth'], length: 6 });
    assert.deepEqual(fieldOfOctet(TREE, 21), { path: '2.0.0', names: ['dns', 'dns.qry'], length: 16 });
    assert.deepEqual(fieldOfOctet(TREE, 13)?.path, '1');
    assert.equal(fieldOfOctet(TREE, 99), null);
    assert.equal(fieldAt(TREE, '2.0.0')?.name, 'dns.qry.name');
    assert.equal(fieldAt(TREE, '5.1'), null);
  });

  it('is gone through by arrow keys, which open and close', () => {
    const closed = rowsOf(TREE, new Set());
    assert.deepEqual(
      closed.map(({ path }) => path),
      ['0', '1', '2'],
    );
    const open = rowsOf(TREE, new Set(['dns', 'dns.qry']));
    assert.deepEqual(
      open.map(({ path }) => path),
      ['0', '1', '2', '2.0', '2.0.0'],
    );
    assert.deepEqual(stepOf('ArrowRight', closed, 1), { name: 'eth', isOpen: true });
    assert.equal((stepOf('ArrowRight', open, 2) as { path: string }).path, '2.0');
    assert.equal((stepOf('ArrowLeft', open, 4) as { path: string }).path, '2.0');
    assert.deepEqual(stepOf('ArrowLeft', open, 3), { name: 'dns.qry', isOpen: false });
    assert.equal((stepOf('ArrowDown', open, -1) as { path: string }).path, '0');
    assert.equal(stepOf('ArrowDown', open, 4), null);
  });
});

describe('conversations', () => {
  it('are sorted by any column, numbers as numbers', () => {
    const row = (address: string, octets: number): Conversation => ({
      ...{ protocol: 'ip', first: 1, last: 2, filter: '', frames: [1, 1], octets: [octets, 0] },
      ends: [
        { address, port: null },
        { address: '10.0.0.1', port: null },
      ],
    });
    const rows = [row('10.0.0.9', 5), row('10.0.0.10', 100), row('10.0.0.2', 30)];
    const octets = (by: 'octets' | 'one', isDown: boolean): number[] =>
      sortedBy(rows, { by, isDown }).map((one) => one.octets[0]);
    assert.deepEqual(octets('octets', true), [100, 30, 5]);
    assert.deepEqual(octets('one', false), [30, 5, 100]);
  });
});

describe('the way of a packet over the map', () => {
  const link = (id: string, ...nodes: [string, string]): Link =>
    ({
      link_id: id,
      nodes: nodes.map((node_id, n) => ({ node_id, adapter_number: 0, port_number: n })),
    }) as unknown as Link;
  const node = (id: string, mac: string): Node =>
    ({
      node_id: id,
      ports: [0, 1].map((n) => ({ adapter_number: 0, port_number: n, mac_address: `${mac}${n}` })),
    }) as unknown as Node;
  const records = {
    ...NO_RECORDS,
    links: new Map([
      ['l1', link('l1', 'a', 'switch')],
      ['l2', link('l2', 'b', 'switch')],
    ]),
    nodes: new Map([
      ['a', node('a', '00:00:00:00:00:a')],
      ['b', node('b', '00:00:00:00:00:b')],
    ]),
  };
  const met = (...ids: (string | null)[]) => ids.map((link_id) => ({ file_name: 'f', link_id, number: 1, time: 1 }));
  const NONE = { from: '', to: '' };

  it('leads over each link to the node that it has in common with the next', () => {
    assert.deepEqual(hopsOf(records, met('l1', 'l2'), NONE), [
      { linkId: 'l1', isBack: false },
      { linkId: 'l2', isBack: true },
    ]);
    assert.deepEqual(hopsOf(records, met('l2', 'l1'), NONE), [
      { linkId: 'l2', isBack: false },
      { linkId: 'l1', isBack: true },
    ]);
  });

  it('of one link is told by the addresses of its ports; what is not on the map is left out', () => {
    assert.deepEqual(hopsOf(records, met('l1'), { from: 'x', to: '00:00:00:00:00:a0' }), [
      { linkId: 'l1', isBack: true },
    ]);
    assert.deepEqual(hopsOf(records, met('l1', null, 'gone'), { from: '00:00:00:00:00:a0', to: 'x' }), [
      { linkId: 'l1', isBack: false },
    ]);
  });
});
