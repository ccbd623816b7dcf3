/** Archives as the service takes and gives them: POSIX ustar with pax headers for long names (IEEE Std 1003.1, pax). */

interface Entry {
  /** Path without a slash at its beginning. */
  name: string;
  content: Buffer;
  /** Permissions. */
  mode: number;
}

const BLOCK = 512;

export const pack = (entries: readonly Entry[]): Buffer => {
  const blocks = entries.flatMap(({ name, content, mode }) => [
    ...(Buffer.byteLength(name) < 100 ? [] : member('pax', paxPath(name), { mode, type: 'x' })),
    ...member(name, content, { mode, type: '0' }),
  ]);
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
};

/** The ordinary files of an archive; whatever else is in it is left out. */
export const unpack = (archive: Buffer): Entry[] => {
  const entries: Entry[] = [];
  let long: string | null = null;
  for (let at = 0; at + BLOCK <= archive.length;) {
    const head = archive.subarray(at, at + BLOCK);
    if (head.every((octet) => octet === 0)) break;
    const size = numberAt(head, 124, 12);
    const content = archive.subarray(at + BLOCK, at + BLOCK + size);
    const type = String.fromCharCode(head[156] ?? 0);
    if (type === 'x') long = /(?:^|\n)\d+ path=([^\n]*)\n/.exec(content.toString('utf8'))?.[1] ?? null;
    else {
      const prefix = textAt(head, 345, 155);
      const name = long ?? (prefix === '' ? '' : `${prefix}/`) + textAt(head, 0, 100);
      if (type === '0' || type === '\0')
        entries.push({ name, content: Buffer.from(content), mode: numberAt(head, 100, 8) });
      long = null;
    }
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return entries;
};

const member = (name: string, content: Buffer, { mode, type }: { mode: number; type: string }): Buffer[] => {
  const head = Buffer.alloc(BLOCK);
  head.write(Buffer.from(name).subarray(0, 99).toString('latin1'), 0, 'latin1');
  head.write(octal(mode, 7), 100);
  head.write(octal(0, 7), 108);
  head.write(octal(0, 7), 116);
  head.write(octal(content.length, 11), 124);
  head.write(octal(0, 11), 136);
  head.write(' '.repeat(8), 148);
  head.write(type, 156);
  head.write('ustar\x0000', 257);
  const sum = head.reduce((total, octet) => total + octet, 0);
  head.write(`${octal(sum, 6)}\0 `, 148);
  return [head, content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)];
};

/** `length path=name\n`, the length being that of the whole line. */
const paxPath = (name: string): Buffer => {
  const rest = Buffer.byteLength(` path=${name}\n`);
  let length = rest + String(rest).length;
  if (String(length).length > String(rest).length) length += 1;
  return Buffer.from(`${length} path=${name}\n`);
};

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0');
const textAt = (head: Buffer, at: number, length: number): string =>
  head
    .subarray(at, at + length)
    .toString('utf8')
    .split('\0', 1)[0] ?? '';
const numberAt = (head: Buffer, at: number, length: number): number => parseInt(textAt(head, at, length), 8) || 0;
