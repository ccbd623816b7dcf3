import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { decodeEvent, encodeEvent, GENESIS } from '../../src/events/encoding.ts';
import type { LogEvent } from '../../src/events/event.ts';

const event: Omit<LogEvent, 'hash'> = {
  position: 7,
  project_id: '00000000-0000-4000-8000-000000000001',
  version: 3,
  type: 'drawing.updated',
  v: 1,
  at: '2024-06-01T12:00:00.000Z',
  by: { principal: 'anna', address: '127.0.0.1', agent: null },
  request_id: 'r1',
  cause: 6,
  data: { drawing_id: 'd', changes: { svg: '<svg>é\u2028"\\</svg>', x: -1.5 } },
  prev: GENESIS,
};

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('encoding of events', () => {
  it('hashes the previous hash, the head and the hash of the data, as is written down', () => {
    const { hash, text } = encodeEvent(event);
    const at = text.indexOf(',"data":');
    const data = JSON.stringify(event.data);
    assert.equal(hash, sha256(`${GENESIS}\n${text.slice(0, at)}\n${sha256(data)}`));
    assert.equal(text, `${text.slice(0, at)},"data":${data},"prev":"${GENESIS}","hash":"${hash}"}`);
    assert.deepEqual(Object.keys(JSON.parse(text) as object), [
      ...['position', 'project_id', 'version', 'type', 'v', 'at', 'by', 'request_id', 'cause', 'data', 'prev', 'hash'],
    ]);
  });

  it('notices every single octet that is changed', () => {
    const bytes = Buffer.from(encodeEvent(event).text);
    for (let i = 0; i < bytes.length; i++)
      for (const flip of [0x01, 0x20]) {
        const changed = Buffer.from(bytes);
        changed[i] = (changed[i] ?? 0) ^ flip;
        assert.equal(decodeEvent(changed.toString()), null, `octet ${i} of ${changed.toString()}`);
      }
  });

  it('notices what is cut off, added or put in another order', () => {
    const { text } = encodeEvent(event);
    for (let length = 0; length < text.length; length++) assert.equal(decodeEvent(text.slice(0, length)), null);
    assert.equal(decodeEvent(`${text} `), null);
    assert.equal(decodeEvent(text.replace('"position":7,', '').replace('{', '{"position":7,"more":1,')), null);
    assert.equal(decodeEvent(text.replace('"v":1,"at"', '"at"').replace('"by"', '"v":1,"by"')), null);
  });

  it('gives back what was encoded, whatever it holds', () => {
    const events = fc.record({
      position: fc.nat(),
      project_id: fc.option(fc.uuid()),
      version: fc.nat(),
      type: fc.string(),
      v: fc.nat(9),
      at: fc.constant('2024-06-01T12:00:00.000Z'),
      by: fc.record({
        principal: fc.string(),
        address: fc.option(fc.string()),
        agent: fc.option(fc.string({ unit: 'binary' })),
      }),
      request_id: fc.option(fc.string()),
      cause: fc.option(fc.nat()),
      data: fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()),
      prev: fc.constant(GENESIS),
    });
    fc.assert(
      fc.property(events, (given) => {
        const { hash, text } = encodeEvent(given);
        assert.deepEqual(decodeEvent(text), JSON.parse(JSON.stringify({ ...given, hash })));
      }),
      { numRuns: 200 },
    );
  });
});
