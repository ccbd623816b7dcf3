import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { dissect } from '../../../src/fabric/packets/fields/dissect.ts';
import { describe as describedAs, DESCRIBED, EITHER } from '../../../src/fabric/packets/fields/names.ts';
import { type Filter, FilterError, OPERATORS, formatFilter } from '../../../src/fabric/packets/filter/filter.ts';
import { matcherOf } from '../../../src/fabric/packets/filter/match.ts';
import { parseFilter } from '../../../src/fabric/packets/filter/parse.ts';
import { summarise } from '../../../src/fabric/packets/summary.ts';
import { FRAMES } from './frames.ts';

const meets = (text: string, name: string): boolean => {
  const bytes = FRAMES[name] ?? new Uint8Array(0);
  const filter = parseFilter(text);
  if (filter === null) return true;
  const fields = dissect(1, { number: 1, time: 1, length: bytes.length, bytes });
  return matcherOf(filter)({ fields, bytes, line: () => Object.values(summarise(1, bytes)).join(' ') });
};
/** Which of all frames a filter lets through. */
const through = (text: string): string[] => Object.keys(FRAMES).filter((name) => meets(text, name));
const failure = (text: string): [string, number, number] => {
  try {
    const filter = parseFilter(text);
    if (filter !== null) matcherOf(filter);
  } catch (error) {
    if (error instanceof FilterError) return [error.message, error.at, error.length];
  }
  return ['', -1, -1];
};

const names = fc.constantFrom(...DESCRIBED.keys(), ...Object.keys(EITHER));
const written = fc.record({ text: fc.string({ minLength: 0, maxLength: 12 }), isQuoted: fc.boolean() });
/** Trees as the parser makes them: `and` and `or` have two parts or more. */
const { filter: filters } = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 4 },
    fc.record({ sort: fc.constant('has' as const), name: names, at: fc.constant(0) }),
    fc.record({ sort: fc.constant('words' as const), text: fc.string({ maxLength: 12 }) }),
    fc.record({
      sort: fc.constant('compare' as const),
      name: names,
      at: fc.constant(0),
      operator: fc.constantFrom(...OPERATORS),
      value: written.map((value) => ({ ...value, at: 0 })),
    }),
    fc.record({ sort: fc.constant('not' as const), part: tie('filter') }),
    fc.record({
      sort: fc.constantFrom('and' as const, 'or' as const),
      parts: fc.array(tie('filter'), { minLength: 2, maxLength: 3 }),
    }),
  ),
}));
/** Without where things were written, and whether they had to be in quotes. */
const bare = (filter: Filter | null): unknown =>
  JSON.parse(JSON.stringify(filter, (key, value: unknown) => (key === 'at' || key === 'isQuoted' ? undefined : value)));

describe('a display filter', () => {
  it('that is printed is read as the same one', () => {
    fc.assert(
      fc.property(filters, (filter) => {
        assert.deepEqual(bare(parseFilter(formatFilter(filter))), bare(filter));
      }),
      { numRuns: 1_000 },
    );
  });

  it('has a value with the sign of a range in quotes', () => {
    const value = { text: '10..12', isQuoted: false, at: 0 };
    const said = formatFilter({ sort: 'compare', name: 'ip.addr', at: 0, operator: 'contains', value });
    assert.equal(said, 'ip.addr contains "10..12"');
  });

  it('of any text is read, or its error names a place in it', () => {
    const pieces = fc.constantFrom(
      'ip',
      'ip.addr',
      '==',
      '(',
      ')',
      '!',
      '&&',
      '10.0.0.1',
      '"',
      '..',
      '{',
      'in',
      ' ',
      '😀',
    );
    const texts = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.array(pieces, { maxLength: 12 }).map((list) => list.join(' ')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        try {
          const filter = parseFilter(text);
          if (filter !== null) matcherOf(filter);
        } catch (error) {
          assert.ok(error instanceof FilterError, String(error));
          assert.ok(
            error.at >= 0 && error.at <= text.length && error.length >= 1,
            `${error.at} in ${JSON.stringify(text)}`,
          );
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('says the same as the fields: a field that is there, with the value it has', () => {
    for (const [name, bytes] of Object.entries(FRAMES))
      for (const layer of dissect(1, { number: 1, time: 1, length: bytes.length, bytes }).slice(1)) {
        assert.ok(meets(layer.name, name), `${layer.name} in ${name}`);
        for (const field of layer.fields) {
          assert.ok(meets(field.name, name));
          if (
            typeof field.value === 'number' &&
            ['number', 'hex', 'flag'].includes(describedAs(field.name)?.sort ?? '')
          ) {
            assert.ok(meets(`${field.name} == ${field.value}`, name), `${field.name} == ${field.value} in ${name}`);
            assert.equal(meets(`${field.name} > 4294967296`, name), false);
          }
        }
      }
  });

  it('finds protocols, addresses, networks, ports, ranges and texts', () => {
    assert.deepEqual(through('arp'), ['arp', 'tagged', 'qinq']);
    assert.deepEqual(through('vlan.id == 20 && !ieee8021ad'), ['tagged']);
    assert.deepEqual(through('ip.addr == 10.0.0.1 && icmp.type == 8'), ['icmp']);
    assert.deepEqual(through('ip.dst == 10.0.0.0/31 and not icmp'), ['answer']);
    assert.deepEqual(through('udp.port in {53, 67..68}'), ['dns', 'dhcp']);
    assert.deepEqual(through('tcp.flags.syn == true or http.response.code >= 400'), ['tcp', 'answer']);
    assert.deepEqual(through('dns.qry.name contains "EXAMPLE"'), ['dns']);
    assert.deepEqual(through('frame contains "hello"'), ['udp']);
    assert.deepEqual(through('udp contains 68:65:6c'), []);
    assert.deepEqual(through('icmpv6.nd.ns.target_address == fe80::/10'), ['solicitation']);
    assert.deepEqual(through('eth.src == 0050.7966.6800 && stp'), ['stp']);
    assert.deepEqual(through('dhcp.option.dhcp == request'), ['dhcp']);
    assert.deepEqual(through('"who has" && vlan'), ['tagged', 'qinq']);
    assert.deepEqual(through('ip.addr != 10.0.0.1'), []);
    assert.equal(through('').length, Object.keys(FRAMES).length);
  });

  it('that is wrong says what, and where', () => {
    assert.deepEqual(failure('icmp && ip.foo == 3'), ['there is no field or protocol ip.foo', 8, 6]);
    assert.deepEqual(failure('ip.src == '), ['expected a value', 10, 1]);
    assert.deepEqual(failure('(arp || icmp'), ['there is no ) for this (', 0, 1]);
    assert.deepEqual(failure('arp icmp'), ['expected && or ||', 4, 4]);
    assert.deepEqual(failure('ip.ttl == many')[0], 'ip.ttl is a number');
    assert.deepEqual(failure('ip.addr == 10.0.0.300'), [
      'ip.addr is an IPv4 address, for example 10.0.0.1 or 10.0.0.0/24',
      11,
      10,
    ]);
    assert.deepEqual(failure('dns.qry.name == "a'), ['this text has no closing quotation mark', 16, 2]);
    assert.deepEqual(failure('arp & icmp'), ['there is no sign &', 4, 1]);
    assert.match(failure(`${'!'.repeat(150)}arp`)[0], /too much inside/);
  });
});
