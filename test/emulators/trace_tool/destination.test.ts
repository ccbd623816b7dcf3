import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { checkedDestination, destinationOf } from '../../../src/emulators/trace_tool/schema.ts';

describe('the destination of a trace', () => {
  it('is the one of the start, before the default of the node', () => {
    const node = { name: 'T', properties: { default_destination: '10.0.0.9' } };
    assert.equal(destinationOf(node, { destination: ' 10.0.0.1 ' }), '10.0.0.1');
    assert.equal(destinationOf(node, { destination: '' }), '10.0.0.9');
    assert.equal(destinationOf(node, {}), '10.0.0.9');
    const none = { name: 'T', properties: { default_destination: '' } };
    assert.throws(() => destinationOf(none, {}), { code: 'conflict', message: /nothing to trace/ });
  });

  it('is an address or a host name', () => {
    for (const good of ['10.0.0.1', '::1', 'fe80::1', 'localhost', 'a.b-c.example', 'example.com.', '1und1.de'])
      assert.equal(checkedDestination(good), good);
    for (const bad of [
      '',
      '-m',
      '--help',
      'a b',
      '-',
      'a..b',
      'a.-b',
      '10.0.0.1/24',
      'x;reboot',
      '$(x)',
      'a'.repeat(300),
    ])
      assert.throws(() => checkedDestination(bad), { code: 'conflict' }, bad);
  });

  it('is never an option or anything a shell would read', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        let taken: string | null = null;
        try {
          taken = checkedDestination(text);
        } catch {
          return;
        }
        assert.match(taken, /^[\w:][\w.:%-]*$/);
      }),
    );
  });
});
