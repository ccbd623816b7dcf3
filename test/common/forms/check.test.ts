import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  checkEntry,
  type CheckForm,
  checkForm,
  checkOfSentence,
  execOf,
  renamed,
  subjectOf,
} from '../../../src/common/forms/check.ts';

const WHOLE: CheckForm[] = [
  { reach: { from: 'PC1', to: 'PC2' }, within: '10s' },
  { name: 'OSPF', console: { node: 'R1', type: 'show ip ospf neighbor', shows: 'Full' }, before: 60 },
  { capture: { link: ['PC1:0', 'SW1:3'], filter: 'net 10.0.9.0/24', is: 'never' }, for: '2m' },
  { loss: { from: 'A', to: 'B', under: 1 }, during: 'storm' },
  { state: { node: 'R1', is: 'started' }, first: '500ms', every: '2s' },
  { counter: { link: 'l', of: 'frames', over: 10, from: 'A' }, points: 5 },
  { exec: { run: './ok.sh', timeout: '5s' } },
  { exec: { node: 'R1', run: 'show', json: 'peers.*.state', is: 'Established', count: 2 } },
  { ospf: { node: 'R1', neighbors: 2 } },
  { bgp: { node: 'R1' } },
  { vlan: { node: 'S1', interface: 'eth1', vlan: 10 } },
  { vrrp: { node: 'R1', group: 5, is: 'Master' } },
];

test('takes a check of every sort as it is written', () => {
  for (const check of WHOLE) assert.deepEqual(checkForm.parse(check), check);
  assert.deepEqual(WHOLE.map(subjectOf), [
    'reach',
    'console',
    'capture',
    'loss',
    'state',
    'counter',
    'exec',
    'exec',
    'ospf',
    'bgp',
    'vlan',
    'vrrp',
  ]);
});

test('says what is wrong with a check, and where', () => {
  const said = (check: unknown): string => {
    const issue = checkForm.safeParse(check).error?.issues[0];
    return `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'fine'}`;
  };
  assert.match(said({ name: 'nothing' }), /must have one of reach, console/);
  assert.match(said({ state: { node: 'R1', is: 'started' }, exec: { run: 'x' } }), /must have one of/);
  assert.match(said({ reach: { from: 'A', to: 'B' }, within: 'soon' }), /within: must be a duration such as/);
  assert.match(said({ reach: { from: 'A', to: 'B' }, within: 1, before: 2 }), /must not have both/);
  assert.match(said({ reach: { from: 'A' } }), /reach\.to/);
  assert.match(said({ console: { node: 'R1', matches: '(' } }), /console\.matches: must be a regular expression/);
  assert.match(said({ console: { node: 'R1' } }), /console: must have either shows or matches/);
  assert.match(said({ counter: { link: ['A', 'B'], of: 'frames' } }), /counter: must have over, under/);
  const exec = (more: object): string => said({ exec: { node: 'R1', run: 'x', ...more } });
  assert.match(exec({ json: 'a..b' }), /exec\.json: must be a path such as/);
  assert.match(exec({ shows: 'a', matches: 'b' }), /exec: must have only one of shows, matches and is/);
  assert.match(exec({ count: 2 }), /exec: must have json/);
  assert.match(exec({ not: true }), /exec: must have one of shows, matches and json, and no count/);
});

test('reads a sentence', () => {
  assert.deepEqual(checkOfSentence('PC1 reaches PC2'), { reach: { from: 'PC1', to: 'PC2' } });
  assert.deepEqual(checkOfSentence('My PC does not reach 10.0.0.9 within 10s every 2s'), {
    reach: { from: 'My PC', to: '10.0.0.9', not: true },
    within: '10s',
    every: '2s',
  });
  assert.deepEqual(checkEntry.parse('A reaches B during storm'), { reach: { from: 'A', to: 'B' }, during: 'storm' });
  for (const text of ['PC1 likes PC2', 'PC1 reaches', 'A reaches B within soon', '']) {
    assert.equal(checkOfSentence(text), null, text);
    assert.equal(checkEntry.safeParse(text).success, false, text);
  }
});

test('gives nodes and links other names, and leaves addresses', () => {
  const other = { node: (name: string) => `${name}'`, link: () => 'id' };
  const [reach, , capture, , , counter] = WHOLE.map((check) => renamed(check, other));
  assert.deepEqual(reach?.reach, { from: "PC1'", to: "PC2'" });
  assert.equal(capture?.capture?.link, 'id');
  assert.equal(counter?.counter?.from, "A'");
  assert.deepEqual(WHOLE.map((check) => execOf(renamed(check, other))?.node).slice(6), [
    undefined,
    "R1'",
    "R1'",
    "R1'",
    "S1'",
    "R1'",
  ]);
  assert.equal(renamed({ reach: { from: 'A', to: '::1' } }, other).reach?.to, '::1');
});

test('makes a command of a template, which every node with FRR or iproute2 answers in JSON', () => {
  assert.deepEqual(execOf({ ospf: { node: 'R1', neighbors: 2 } }), {
    node: 'R1',
    run: "vtysh -c 'show ip ospf neighbor json'",
    json: 'neighbors.*.*.nbrState',
    matches: '^Full',
    count: 2,
  });
  assert.deepEqual(execOf({ vrrp: { node: 'R1', group: 5, is: 'Backup' } }), {
    node: 'R1',
    run: "vtysh -c 'show vrrp 5 json'",
    json: '*.*.status',
    is: 'Backup',
  });
  for (const port of ['eth1; reboot', "a'b", '', '$(x)'])
    assert.equal(checkForm.safeParse({ vlan: { node: 'S1', interface: port, vlan: 10 } }).success, false, port);
});
