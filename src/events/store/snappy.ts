/** Takes octets out of Snappy's raw format (github.com/google/snappy, format_description.txt). Throws a RangeError where they are not in it. */
export const unsnapped = (octets: Buffer): Buffer => {
  let at = 0;
  const next = (): number => {
    const octet = octets[at++];
    if (octet === undefined) throw new RangeError('compressed octets end too early');
    return octet;
  };
  const little = (count: number): number => {
    let value = 0;
    for (let n = 0; n < count; n++) value += next() * 256 ** n;
    return value;
  };
  let size = 0;
  for (let shift = 1; ; shift *= 128) {
    const octet = next();
    size += (octet & 127) * shift;
    if (octet < 128) break;
  }
  const parts = Buffer.alloc(size);
  let done = 0;
  const copy = (offset: number, length: number): void => {
    if (offset === 0 || offset > done || done + length > size) throw new RangeError('compressed octets lead nowhere');
    // Octet by octet: it may run into what it writes.
    for (let n = 0; n < length; n++, done++) parts[done] = parts[done - offset] ?? 0;
  };
  while (at < octets.length) {
    const tag = next();
    const high = tag >> 2;
    if ((tag & 3) === 0) {
      const length = (high < 60 ? high : little(high - 59)) + 1;
      if (at + length > octets.length || done + length > size) throw new RangeError('compressed octets end too early');
      octets.copy(parts, done, at, at + length);
      at += length;
      done += length;
    } else if ((tag & 3) === 1) copy((tag >> 5) * 256 + next(), (high & 7) + 4);
    else copy(little((tag & 3) === 2 ? 2 : 4), high + 1);
  }
  if (done !== size) throw new RangeError('compressed octets end too early');
  return parts;
};
