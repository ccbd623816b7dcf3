import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { escapeTelnet, TELNET_GREETING, TelnetParser } from '../../../src/fabric/console/telnet.ts';

const [ECHO, GO_AHEAD, TERMINAL_TYPE, WINDOW_SIZE] = [1, 3, 24, 31];
const [SE, BRK, IP, AYT, SB, WILL, WONT, DO, DONT, IAC] = [240, 243, 244, 246, 250, 251, 252, 253, 254, 255];

function parse(parser: TelnetParser, ...bytes: (number | string)[]): { data: string; reply: number[] } {
  const flat = bytes.flatMap((b) => (typeof b === 'number' ? [b] : [...Buffer.from(b)]));
  const { data, reply } = parser.push(Uint8Array.from(flat));
  return { data: Buffer.from(data).toString('latin1'), reply: [...reply] };
}

describe('telnet', () => {
  it('offers to echo and to leave out go-aheads on both sides', () => {
    assert.deepEqual([...TELNET_GREETING], [IAC, WILL, ECHO, IAC, WILL, GO_AHEAD, IAC, DO, GO_AHEAD]);
  });

  it('takes the agreement to its offers without another word', () => {
    const agreed = parse(new TelnetParser(), IAC, DO, ECHO, IAC, DO, GO_AHEAD, IAC, WILL, GO_AHEAD, 'x');
    assert.deepEqual(agreed, { data: 'x', reply: [] });
  });

  it('takes a refusal without another word', () => {
    const refused = parse(new TelnetParser(), IAC, DONT, ECHO, IAC, DONT, GO_AHEAD, IAC, WONT, GO_AHEAD);
    assert.deepEqual(refused, { data: '', reply: [] });
  });

  it('confirms each change of its options once, so that no loop can begin', () => {
    const parser = new TelnetParser();
    parse(parser, IAC, DO, ECHO);
    assert.deepEqual(parse(parser, IAC, DONT, ECHO).reply, [IAC, WONT, ECHO]);
    assert.deepEqual(parse(parser, IAC, DONT, ECHO).reply, []);
    assert.deepEqual(parse(parser, IAC, DO, ECHO).reply, [IAC, WILL, ECHO]);
    assert.deepEqual(parse(parser, IAC, DO, ECHO).reply, []);
    parse(parser, IAC, WILL, GO_AHEAD);
    assert.deepEqual(parse(parser, IAC, WONT, GO_AHEAD).reply, [IAC, DONT, GO_AHEAD]);
    assert.deepEqual(parse(parser, IAC, WONT, GO_AHEAD).reply, []);
    assert.deepEqual(parse(parser, IAC, WILL, GO_AHEAD).reply, [IAC, DO, GO_AHEAD]);
  });

  it('refuses options it does not know, and only offers and requests of them', () => {
    const parser = new TelnetParser();
    assert.deepEqual(parse(parser, IAC, WILL, TERMINAL_TYPE, IAC, WILL, WINDOW_SIZE).reply, [
      ...[IAC, DONT, TERMINAL_TYPE, IAC, DONT, WINDOW_SIZE],
    ]);
    assert.deepEqual(parse(parser, IAC, DO, 0, IAC, WILL, ECHO).reply, [IAC, WONT, 0, IAC, DONT, ECHO]);
    assert.deepEqual(parse(parser, IAC, DONT, 0, IAC, WONT, TERMINAL_TYPE).reply, []);
  });

  it('skips subnegotiations of any length, with doubled 0xFF in them', () => {
    const parser = new TelnetParser();
    assert.equal(parse(parser, 'a', IAC, SB, WINDOW_SIZE, 0, IAC, IAC, 0, 24, IAC, SE, 'b').data, 'ab');
    assert.equal(parse(parser, IAC, SB, TERMINAL_TYPE, 'x'.repeat(100_000)).data, '');
    assert.equal(parse(parser, IAC, SE, 'c').data, 'c');
  });

  it('makes one CR of CR LF and CR NUL, and keeps a doubled 0xFF', () => {
    assert.equal(parse(new TelnetParser(), 'a\r\nb\r\0c\rd\n', IAC, IAC).data, 'a\rb\rc\rd\n\xff');
  });

  it('makes keys of interrupt and erase, answers "are you there", leaves out break', () => {
    const parser = new TelnetParser();
    assert.equal(parse(parser, IAC, IP, IAC, 247, IAC, 248, IAC, BRK, IAC, 241).data, '\x03\b\x15');
    assert.equal(Buffer.from(parse(parser, IAC, AYT).reply).toString(), '\r\n[Yes]\r\n');
  });

  it('reads the same however the stream is split, and never throws', () => {
    const byte = fc.oneof(fc.constantFrom(IAC, SB, SE, WILL, WONT, DO, DONT, 13, 10, 0, ECHO, GO_AHEAD), fc.nat(255));
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 120 }), fc.array(fc.nat(120), { maxLength: 10 }), (bytes, cuts) => {
        const whole = parse(new TelnetParser(), ...bytes);
        const parser = new TelnetParser();
        const parts = { data: '', reply: [] as number[] };
        const ends = [...cuts, bytes.length].sort((a, b) => a - b);
        for (const [i, end] of ends.entries()) {
          const part = parse(parser, ...bytes.slice(ends[i - 1] ?? 0, end));
          parts.data += part.data;
          parts.reply.push(...part.reply);
        }
        assert.deepEqual(parts, whole);
      }),
      { numRuns: 1000 },
    );
  });

  it('escapes output so that a telnet parser reads it back', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        // Without CR, whose line ends the reading side changes.
        const output = bytes.filter((b) => b !== 13);
        assert.deepEqual(new TelnetParser().push(escapeTelnet(output)).data, new Uint8Array(output));
      }),
    );
    assert.deepEqual([...escapeTelnet(Uint8Array.of(1, IAC, 2))], [1, IAC, IAC, 2]);
  });
});
