import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  countOf,
  draftsOf,
  type FilterDescription,
  filtersOf,
  problemOf,
  rangeOf,
  WAYS,
  withSwitch,
  withValue,
} from '../src/links/filter-form.ts';
import {
  chartOf,
  loadOf,
  loadsOf,
  ratesOf,
  SPAN,
  STILL,
  takeTraffic,
  type Traffic,
  type TrafficFrame,
} from '../src/links/traffic.ts';
import { wiresharkCommand } from '../src/links/wireshark.ts';

const DELAY: FilterDescription = {
  type: 'delay',
  name: 'Delay',
  description: '',
  parameters: [
    { name: 'Latency', type: 'int', minimum: 0, maximum: 32767, unit: 'ms' },
    { name: 'Jitter', type: 'int', minimum: 0, maximum: 32767, unit: 'ms' },
  ],
};
const BPF: FilterDescription = {
  type: 'bpf',
  name: 'BPF',
  description: '',
  parameters: [{ name: 'Filters', type: 'text' }],
};
const BOTH = [DELAY, BPF];

describe('the fields of filters', () => {
  it('are what the server says there are, filled with what is set', () => {
    const off = { delay: { isOn: false, values: ['0', '0'] }, bpf: { isOn: false, values: [''] } };
    assert.deepEqual(draftsOf(BOTH, { delay: [50], 'bpf<': ['arp'] }), {
      delay: { isOn: true, values: ['50', '0'] },
      bpf: off.bpf,
      'delay>': off.delay,
      'bpf>': off.bpf,
      'delay<': off.delay,
      'bpf<': { isOn: true, values: ['arp'] },
    });
  });

  it('are those of both directions, or of one', () => {
    const drafts = withValue(withValue(draftsOf(BOTH, { delay: [5, 0] }), 'delay>', 0, '9'), 'bpf>', 0, 'arp');
    assert.deepEqual(filtersOf(BOTH, drafts), { delay: [5, 0], 'delay>': [9, 0], 'bpf>': ['arp'] });
    assert.deepEqual(
      WAYS.map((way) => countOf(drafts, way)),
      [1, 2, 0],
    );
  });

  it('become what the server takes', () => {
    const drafts = withValue(withValue(draftsOf(BOTH, {}), 'delay', 0, '50'), 'bpf', 0, ' icmp\ntcp ');
    assert.deepEqual(filtersOf(BOTH, drafts), { delay: [50, 0], bpf: ['icmp\ntcp'] });
    assert.deepEqual(filtersOf(BOTH, withSwitch(drafts, 'bpf', false)), { delay: [50, 0] });
  });

  it('say what is wrong in them, and are not sent then', () => {
    const [latency] = DELAY.parameters;
    assert.ok(latency);
    for (const right of ['32767', '1.5']) assert.equal(problemOf(latency, right), null);
    const frequency = { name: 'Frequency', type: 'int', minimum: -1, maximum: 32767, unit: 'th frame' } as const;
    assert.match(problemOf(frequency, '1.5') ?? '', /whole number/);
    for (const wrong of ['', '-1', '32768', '1.5.1', 'x']) {
      assert.match(problemOf(latency, wrong) ?? '', /0 to 32767 ms/);
      assert.equal(filtersOf(BOTH, withValue(draftsOf(BOTH, {}), 'delay', 0, wrong)), null);
    }
    assert.equal(filtersOf(BOTH, withSwitch(draftsOf(BOTH, {}), 'bpf', true)), null);
    assert.equal(rangeOf(latency), '0 to 32767 ms');
  });
});

const frame = (frames: [number, number], dropped: [number, number] = [0, 0]): TrafficFrame => ({
  action: 'link.traffic',
  event: { seconds: 1, links: [{ link_id: 'l', frames, bytes: [0, 0], dropped, delayed: [0, 0] }] },
  position: 1,
});

describe('traffic of a link', () => {
  it('stays as it was told last, a row for each second', () => {
    let traffic: Traffic = new Map();
    traffic = takeTraffic(traffic, frame([10, 5], [1, 2]), 100_000);
    traffic = takeTraffic(traffic, frame([0, 0]), 103_000);
    const [times, there, back, lost] = chartOf(traffic.get('l') ?? [], 105_000);
    assert.equal(times.length, SPAN + 1);
    assert.equal(times.at(-1), 105);
    assert.deepEqual(there.slice(-7), [0, 10, 10, 10, 0, 0, 0]);
    assert.deepEqual(back.slice(-7), [0, 5, 5, 5, 0, 0, 0]);
    assert.deepEqual(lost.slice(-7), [0, 3, 3, 3, 0, 0, 0]);
    assert.deepEqual(ratesOf(traffic, 'l').frames, [0, 0]);
    assert.equal(ratesOf(traffic, 'other'), STILL);
  });

  it('is kept for as long as a chart goes back, however long it flows', () => {
    let traffic: Traffic = new Map();
    for (let second = 0; second < 1000; second++) traffic = takeTraffic(traffic, frame([second, 0]), second * 1000);
    const samples = traffic.get('l') ?? [];
    assert.ok(samples.length <= SPAN + 4, String(samples.length));
    assert.deepEqual(chartOf(samples, 999_000)[1].slice(0, 2), [999 - SPAN, 1000 - SPAN]);
  });
});

describe('the command for Wireshark', () => {
  it('is one line that a shell takes, whatever the user is called', () => {
    const url = 'http://127.0.0.1:3080/v2/projects/p/links/l/pcap';
    assert.equal(wiresharkCommand(url, null), `curl -sN ${url} | wireshark -k -i -`);
    assert.equal(wiresharkCommand(url, "o'hara"), `curl -sN -u 'o'\\''hara' ${url} | wireshark -k -i -`);
  });
});

describe('the load of links', () => {
  const rates = (there: number, back: number) => ({ ...STILL, bytes: [there, back] as [number, number] });

  it('is that of the busier direction, in four steps of bits a second', () => {
    assert.deepEqual(
      [rates(0, 0), rates(1, 0), rates(0, 1250), rates(12_500, 3), rates(0, 125_000)].map(loadOf),
      [0, 1, 2, 3, 4],
    );
  });

  it('marks links on which something passes now', () => {
    const samples = (...bytes: number[]) => bytes.map((there, time) => ({ time, rates: rates(there, 0) }));
    const traffic: Traffic = new Map([
      ['busy', samples(0, 200_000)],
      ['still', samples(200_000, 0)],
    ]);
    assert.deepEqual([...loadsOf(traffic)], [['busy', 4]]);
  });
});
