/**
 * Images for routers that the emulator really runs, made here instruction by instruction. Each says TINY ROUTER on its console and
 * then waits at its `idlepc`.
 */

/** Where images are loaded and begin; one engine has its memory at another address. */
const AT = 0x8000_8000;
const AT_G2 = 0x8000;

/** An instruction that needs to know where labels are. */
type Late = (at: number, labels: ReadonlyMap<string, number>) => number;
type Line = number | string | Late;

/** Lines to words: a text that ends in `:` is a label, another one is laid out as it is, with a zero and up to a whole word. */
const assemble = (lines: readonly Line[], begin: number): { code: Buffer; labels: ReadonlyMap<string, number> } => {
  const labels = new Map<string, number>();
  const pieces: (number | Buffer | Late)[] = [];
  let at = begin;
  for (const line of lines) {
    if (typeof line === 'string' && line.endsWith(':')) {
      labels.set(line.slice(0, -1), at);
      continue;
    }
    const piece = typeof line === 'string' ? Buffer.alloc(Math.ceil((line.length + 1) / 4) * 4, `${line}\0`) : line;
    pieces.push(piece);
    at += Buffer.isBuffer(piece) ? piece.length : 4;
  }
  const code = Buffer.alloc(at - begin);
  at = begin;
  for (const piece of pieces) {
    if (Buffer.isBuffer(piece)) at += piece.copy(code, at - begin);
    else at = begin + code.writeUInt32BE((typeof piece === 'number' ? piece : piece(at, labels)) >>> 0, at - begin);
  }
  return { code, labels };
};

/** An ELF file of 32 bits, big-endian, with one section to be loaded. */
const elf = (machine: number, code: Buffer, begin: number): Buffer => {
  const names = Buffer.from('\0.text\0.shstrtab\0\0\0\0');
  const head = Buffer.alloc(52);
  head.set([0x7f, 0x45, 0x4c, 0x46, 1, 2, 1]);
  head.writeUInt16BE(2, 16);
  head.writeUInt16BE(machine, 18);
  head.writeUInt32BE(1, 20);
  head.writeUInt32BE(begin, 24);
  head.writeUInt32BE(52 + code.length + names.length, 32);
  // Sizes of this head and of a section's, how many sections, and which has their names.
  [52, 0, 0, 40, 3, 2].forEach((value, n) => head.writeUInt16BE(value, 40 + 2 * n));
  const section = (...words: number[]): Buffer => {
    const entry = Buffer.alloc(40);
    words.forEach((word, n) => entry.writeUInt32BE(word, 4 * n));
    return entry;
  };
  const text = section(1, 1, 6, begin, 52, code.length, 0, 0, 4);
  const strings = section(7, 3, 0, 0, 52 + code.length, names.length, 0, 0, 1);
  return Buffer.concat([head, code, names, section(), text, strings]);
};

/** What the emulator gives every platform to print with, as its own ROM does. */
const PRINT = 0x40;
const BANNER = 'TINY ROUTER\r\n';

/* MIPS. Registers by number; those of a few names are kept over the whole program. */
const [ZERO, A, B, C, D, TEXT] = [0, 8, 9, 10, 11, 4] as const;
const [REMOTE, GT, UART, RING, FRAME, RETURN] = [16, 17, 18, 19, 20, 31] as const;

const i = (op: number, rs: number, rt: number, value: number) =>
  (op << 26) | (rs << 21) | (rt << 16) | (value & 0xffff);
const lui = (rt: number, value: number) => i(15, 0, rt, value);
const ori = (rt: number, rs: number, value: number) => i(13, rs, rt, value);
const andi = (rt: number, rs: number, value: number) => i(12, rs, rt, value);
const addiu = (rt: number, rs: number, value: number) => i(9, rs, rt, value);
const load = { b: 36, h: 37, w: 35 } as const;
const store = { b: 40, h: 41, w: 43 } as const;
const get = (size: 'b' | 'h' | 'w', rt: number, offset: number, rs: number) => i(load[size], rs, rt, offset);
const put = (size: 'b' | 'h' | 'w', rt: number, offset: number, rs: number) => i(store[size], rs, rt, offset);
const NOP = 0;
/** Branches and jumps, each with nothing in its delay slot. */
const branch = (op: number, rs: number, rt: number, to: string): Line[] => [
  (at, labels) => i(op, rs, rt, ((labels.get(to) ?? NaN) - at - 4) >> 2),
  NOP,
];
const beq = (rs: number, rt: number, to: string) => branch(4, rs, rt, to);
const bne = (rs: number, rt: number, to: string) => branch(5, rs, rt, to);
const bltz = (rs: number, to: string) => branch(1, rs, 0, to);
const goto = (to: string) => beq(ZERO, ZERO, to);
const call = (to: string): Line[] => [(_, labels) => (3 << 26) | (((labels.get(to) ?? NaN) >>> 2) & 0x3ff_ffff), NOP];
const back: Line[] = [(RETURN << 21) | 8, NOP];
const word = (rt: number, value: number): Line[] => [lui(rt, value >>> 16), ori(rt, rt, value)];
const address = (rt: number, of: string): Line[] => [
  (_, labels) => lui(rt, (labels.get(of) ?? NaN) >>> 16),
  (_, labels) => ori(rt, rt, labels.get(of) ?? NaN),
];
const say = (text: string): Line[] => [...address(TEXT, text), ...call('print')];
const printing: Line[] = [
  ...['print:', get('b', A, 0, TEXT), ...beq(A, ZERO, 'printed'), put('w', A, PRINT, REMOTE), addiu(TEXT, TEXT, 1)],
  ...[...goto('print'), 'printed:', ...back],
];

/** A loop that a stop ends: the emulator looks around at jumps by register only. */
const waiting: Line[] = [...address(C, 'wait'), 'wait:', (C << 21) | 8, NOP];

/** The ROM of a MIPS calls it; registers that are not cached begin at 0xb6000000. */
const mips = (): Line[] => [
  ...[lui(REMOTE, 0xb600), ...say('banner'), ...waiting],
  ...[...printing, 'banner:', BANNER],
];

/** Octets of a frame, as halfwords: from one place to another. */
const copy = (from: number, to: number, octets: number): Line[] =>
  Array.from({ length: octets / 2 }, (_, n) => [
    get('h', A, from + 2 * n, FRAME),
    put('h', A, to + 2 * n, FRAME),
  ]).flat();
const MAC = [0x0200, 0x0000, 0x0001] as const;
const ownMac = (to: number): Line[] => MAC.flatMap((value, n) => [ori(A, ZERO, value), put('h', A, to + 2 * n, FRAME)]);

/** The system controller has its registers the other way round. */
const swapped = (value: number): number => {
  const octets = Buffer.alloc(4);
  octets.writeUInt32LE(value >>> 0);
  return octets.readUInt32BE();
};
const tell = (value: number, register: number): Line[] => [
  ...word(A, swapped(value)),
  ...word(B, register),
  // addu: registers of the Ethernet ports are further than an offset reaches.
  (B << 21) | (GT << 16) | (B << 11) | 33,
  put('w', A, 0, B),
];

const RX = 0x10_0000;
const TX = RX + 16;
/** So that what is behind the head of a frame begins at a whole word. */
const BUFFER = RX + 0x102;
const OWNED = 0x8000_0000;
const FIRST_AND_LAST = 0x3_0000;

/**
 * A host on a 2691 or 3725: at its first Ethernet port it answers ARP for 10.0.0.254 and every ping. It echoes what is
 * typed; at an `a` it asks for that address as well, and says ANSWERED when somebody answers.
 */
const mipsHost = (): Line[] => [
  ...[lui(REMOTE, 0xb600), lui(GT, 0xb400), ...word(RING, 0xa000_0000 + RX), ...word(FRAME, 0xa000_0000 + BUFFER)],
  // The console's UART is in a page that has to be mapped first: index 0 of the TLB.
  ...[...word(UART, 0x3c10_0000), 0x40800000, 0x40802800, 0x40920000 | 0x5000],
  ...[...word(A, ((0x3c10_0000 >>> 12) << 6) | 0x17), 0x40881000, ori(A, ZERO, 1), 0x40881800, 0x42000002, NOP, NOP],
  ...[...call('listen'), ...tell(RX, 0x84880), ...tell(RX, 0x848a0), ...tell(0x81, 0x84800), ...tell(0x80, 0x84848)],
  ...say('banner'),
  'look:',
  ...[get('b', A, 0x28, UART), andi(A, A, 1), ...bne(A, ZERO, 'typed')],
  ...[get('w', A, 4, RING), ...bltz(A, 'idle')],

  ...[get('h', A, 12, FRAME), ori(B, ZERO, 0x0806), ...beq(A, B, 'arp'), ori(B, ZERO, 0x0800), ...bne(A, B, 'done')],
  ...[get('b', A, 23, FRAME), ori(B, ZERO, 1), ...bne(A, B, 'done'), get('b', A, 34, FRAME), ori(B, ZERO, 8)],
  ...bne(A, B, 'done'),
  // A ping: addresses change places, and the checksum follows the type.
  ...[get('w', C, 26, FRAME), get('w', D, 30, FRAME), put('w', D, 26, FRAME), put('w', C, 30, FRAME)],
  ...[put('b', ZERO, 34, FRAME), get('h', A, 36, FRAME), addiu(A, A, 0x0800), (A << 16) | (B << 11) | (16 << 6) | 2],
  ...[(A << 21) | (B << 16) | (A << 11) | 33, put('h', A, 36, FRAME), ...goto('answer')],

  'arp:',
  ...[get('h', A, 20, FRAME), ori(B, ZERO, 2), ...beq(A, B, 'answered'), put('h', B, 20, FRAME)],
  ...[get('b', A, 41, FRAME), ori(B, ZERO, 254), ...bne(A, B, 'done')],
  ...[get('h', C, 38, FRAME), get('h', D, 40, FRAME), ...copy(22, 32, 10), ...ownMac(22)],
  ...[put('h', C, 28, FRAME), put('h', D, 30, FRAME)],
  'answer:',
  ...[...copy(6, 0, 6), ...ownMac(6), get('w', C, 0, RING), andi(C, C, 0xffff), addiu(C, C, -4), ...call('send')],
  'done:',
  ...[...call('listen'), ...goto('look')],
  'answered:',
  ...[...say('answer-text'), ...goto('done')],

  'typed:',
  ...[get('b', A, 0, UART), put('b', A, 0, UART), ori(B, ZERO, 97), ...bne(A, B, 'look')],
  ...[ori(A, ZERO, 0xffff), put('h', A, 0, FRAME), put('h', A, 2, FRAME), put('h', A, 4, FRAME), ...ownMac(6)],
  ...[0x0806, 1, 0x0800, 0x0604, 1].flatMap((value, n) => [ori(A, ZERO, value), put('h', A, 12 + 2 * n, FRAME)]),
  ...[
    ...ownMac(22),
    ...[0x0a00, 0x0008, 0, 0, 0, 0x0a00, 0x00fe].flatMap((value, n) => [
      ori(A, ZERO, value),
      put('h', A, 28 + 2 * n, FRAME),
    ]),
  ],
  ...[ori(C, ZERO, 60), ...call('send'), ...call('listen'), ...goto('look')],
  ...['idle:', ...address(C, 'look'), 'wait:', (C << 21) | 8, NOP],

  // Sends as many octets of the frame as C says, and waits until they are gone.
  'send:',
  ...[(C << 16) | (C << 11) | (16 << 6), put('w', C, 16, RING), put('w', ZERO, 24, RING), ...word(A, BUFFER)],
  ...[put('w', A, 28, RING), ...word(A, OWNED | FIRST_AND_LAST), put('w', A, 20, RING)],
  ...[...tell(TX, 0x848e0), ...tell(0x0100_0000, 0x84848)],
  ...['sending:', get('w', A, 20, RING), ...bltz(A, 'sending'), ...back],
  // Hands the frame's place to the port for the next one.
  'listen:',
  ...[...word(A, 2000 << 16), put('w', A, 0, RING), ...word(A, RX), put('w', A, 8, RING), ...word(A, BUFFER)],
  ...[put('w', A, 12, RING), lui(A, OWNED >>> 16), put('w', A, 4, RING), ...back],
  ...[...printing, 'banner:', BANNER, 'answer-text:', 'ANSWERED\r\n'],
];

/** PowerPC, of the 1700, 2600 and the largest engine of the 7200: r3 to r5. */
const powerpc = (): Line[] => [
  ...[
    0x3c60f600,
    (_: number, labels: ReadonlyMap<string, number>) => 0x3c80_0000 | ((labels.get('banner') ?? NaN) >>> 16),
  ],
  (_, labels) => 0x6084_0000 | ((labels.get('banner') ?? NaN) & 0xffff),
  // lbz r5,0(r4); cmpwi r5,0; beq +16; stw r5,PRINT(r3); addi r4,r4,1; b -20
  ...['print:', 0x88a40000, 0x2c050000, 0x41820010, 0x90a30000 | PRINT, 0x38840001, 0x4bffffec],
  // lis r4; ori r4; mtlr r4; blr
  (_, labels) => 0x3c80_0000 | ((labels.get('wait') ?? NaN) >>> 16),
  (_, labels) => 0x6084_0000 | ((labels.get('wait') ?? NaN) & 0xffff),
  // A branch to it as well: else the page is interpreted, which a stop does not end.
  ...[0x7c8803a6, 0x48000004, 'wait:', 0x4e800020, 'banner:', BANNER],
];

const made = (machine: number, lines: readonly Line[], begin = AT) => {
  const { code, labels } = assemble(lines, begin);
  return { image: elf(machine, code, begin), idlepc: `0x${(labels.get('wait') ?? 0).toString(16)}` };
};

/** By what runs them; with its `idlepc` an image leaves the processor to others. */
export const IMAGES = {
  mips: made(8, mips()),
  host: made(8, mipsHost()),
  powerpc: made(20, powerpc()),
  g2: made(20, powerpc(), AT_G2),
};
