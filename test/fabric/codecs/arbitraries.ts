import fc from 'fast-check';

export const mac = fc.integer({ min: 0, max: 0xffffffffffff });
export const address = fc.integer({ min: 0, max: 0xffffffff });
export const u8 = fc.integer({ min: 0, max: 0xff });
export const u16 = fc.integer({ min: 0, max: 0xffff });
export const u32 = fc.integer({ min: 0, max: 0xffffffff });
export const bytes = (maxLength: number, minLength = 0): fc.Arbitrary<Uint8Array> =>
  fc.uint8Array({ minLength, maxLength });

export const flipBit = (data: Uint8Array, bit: number): Uint8Array => {
  const copy = data.slice();
  copy[bit >>> 3] = (copy[bit >>> 3] ?? 0) ^ (1 << (bit & 7));
  return copy;
};

export const ipv4Packet = fc.record({
  trafficClass: u8,
  identification: u16,
  dontFragment: fc.boolean(),
  moreFragments: fc.boolean(),
  fragmentOffset: fc.integer({ min: 0, max: 0x1fff }).map((units) => units * 8),
  ttl: u8,
  protocol: u8,
  source: address,
  destination: address,
  options: fc.integer({ min: 0, max: 10 }).chain((words) => bytes(words * 4, words * 4)),
  payload: bytes(200),
});
