/**
 * Classic BPF: the filter machine of McCanne and Jacobson, "The BSD Packet Filter", USENIX 1993, in the instruction encoding of
 * libpcap and Linux (`struct sock_filter {u16 code; u8 jt; u8 jf; u32 k}`).
 */
export type Instruction = [code: number, jt: number, jf: number, k: number];

/** A checked program, four words an instruction. */
export type Program = Int32Array;

const CLASS = { LD: 0, LDX: 1, ST: 2, STX: 3, ALU: 4, JMP: 5, RET: 6, MISC: 7 } as const;
const MODE = { IMM: 0x00, ABS: 0x20, IND: 0x40, MEM: 0x60, LEN: 0x80, MSH: 0xa0 } as const;
const SCRATCH = 16;
/** Bounds loops, which `protochain` makes and the 1993 machine does not have. */
const MOST_STEPS = 10_000;
const LONGEST_PROGRAM = 4096;

/** Checks a program. Throws an Error when it could run past its end or has invalid instructions. */
export function loadProgram(instructions: readonly Instruction[]): Program {
  if (instructions.length === 0 || instructions.length > LONGEST_PROGRAM)
    throw new Error(`A BPF program has 1 to ${LONGEST_PROGRAM} instructions, this one ${instructions.length}`);
  instructions.forEach((instruction, index) => {
    if (!isValid(instruction, index, instructions.length))
      throw new Error(`BPF instruction ${index} is not valid: ${instruction.join(' ')}`);
  });
  return Int32Array.from(instructions.flat());
}

function isValid([code, jt, jf, k]: Instruction, index: number, length: number): boolean {
  const inside = (target: number): boolean => target >= 0 && target < length;
  if (![code, jt, jf, k].every(Number.isInteger)) return false;
  switch (code & 7) {
    case CLASS.JMP:
      return (code & 0xf0) === 0 ? inside(index + 1 + (k | 0)) : inside(index + 1 + jt) && inside(index + 1 + jf);
    case CLASS.ST:
    case CLASS.STX:
      return k >= 0 && k < SCRATCH && inside(index + 1);
    case CLASS.LD:
    case CLASS.LDX:
      return ((code & 0xe0) !== MODE.MEM || (k >= 0 && k < SCRATCH)) && inside(index + 1);
    case CLASS.RET:
      return true;
    default:
      return inside(index + 1);
  }
}

/** Whether the program accepts the frame. A load outside the frame, a division by zero and an endless loop do not match. */
export const matches = (program: Program, frame: Uint8Array): boolean => run(program, frame) !== 0;

/** Scratch memory, shared as runs never nest. */
const memory = new Int32Array(SCRATCH);

/** Runs a program; returns its result: octets to keep, 0 for none. */
export function run(program: Program, frame: Uint8Array): number {
  let a = 0;
  let x = 0;
  memory.fill(0);
  for (let at = 0, steps = 0; steps < MOST_STEPS; at += 4, steps++) {
    const code = program[at] ?? 0;
    const k = program[at + 3] ?? 0;
    switch (code & 7) {
      case CLASS.LD: {
        const value = load(code, k, x, frame);
        if (value === null) return 0;
        a = value;
        break;
      }
      case CLASS.LDX: {
        const value = loadIndex(code, k, frame);
        if (value === null) return 0;
        x = value;
        break;
      }
      case CLASS.ST:
        memory[k] = a;
        break;
      case CLASS.STX:
        memory[k] = x;
        break;
      case CLASS.ALU: {
        const value = compute(code & 0xf0, a, (code & 8) === 0 ? k : x);
        if (value === null) return 0;
        a = value;
        break;
      }
      case CLASS.JMP:
        at += 4 * jump(program, at, a, (code & 8) === 0 ? k : x);
        break;
      case CLASS.RET:
        return ((code & 0x18) === 0x10 ? a : (code & 0x18) === 0x08 ? x : k) >>> 0;
      default:
        if ((code & 0xf8) === 0x80) a = x;
        else x = a;
    }
  }
  return 0;
}

function load(code: number, k: number, x: number, frame: Uint8Array): number | null {
  switch (code & 0xe0) {
    case MODE.IMM:
      return k;
    case MODE.MEM:
      return memory[k] ?? 0;
    case MODE.LEN:
      return frame.length;
    case MODE.ABS:
      return read(frame, k >>> 0, code & 0x18);
    case MODE.IND:
      return read(frame, (x >>> 0) + (k >>> 0), code & 0x18);
    default:
      return null;
  }
}

function loadIndex(code: number, k: number, frame: Uint8Array): number | null {
  switch (code & 0xe0) {
    case MODE.IMM:
      return k;
    case MODE.MEM:
      return memory[k] ?? 0;
    case MODE.LEN:
      return frame.length;
    case MODE.MSH: {
      // The length of an IPv4 header, from its first octet.
      const octet = frame[k >>> 0];
      return octet === undefined ? null : (octet & 0x0f) << 2;
    }
    default:
      return null;
  }
}

/** Big-endian word, half word or octet; null outside the frame. */
function read(frame: Uint8Array, at: number, size: number): number | null {
  if (size === 0x10) return frame[at] ?? null;
  const length = size === 0x08 ? 2 : 4;
  if (at + length > frame.length) return null;
  const half = ((frame[at] ?? 0) << 8) | (frame[at + 1] ?? 0);
  return length === 2 ? half : (half << 16) | ((frame[at + 2] ?? 0) << 8) | (frame[at + 3] ?? 0);
}

/** Unsigned 32-bit arithmetic, kept as signed words; null for a division by zero. */
function compute(operation: number, a: number, b: number): number | null {
  switch (operation) {
    case 0x00:
      return (a + b) | 0;
    case 0x10:
      return (a - b) | 0;
    case 0x20:
      return Math.imul(a, b);
    case 0x30:
      return b === 0 ? null : ((a >>> 0) / (b >>> 0)) | 0;
    case 0x40:
      return a | b;
    case 0x50:
      return a & b;
    case 0x60:
      return b >>> 0 > 31 ? 0 : a << b;
    case 0x70:
      return b >>> 0 > 31 ? 0 : (a >>> b) | 0;
    case 0x80:
      return -a | 0;
    case 0x90:
      return b === 0 ? null : ((a >>> 0) % (b >>> 0)) | 0;
    case 0xa0:
      return a ^ b;
    default:
      return null;
  }
}

/** Instructions to skip, beside the one that always follows. */
function jump(program: Program, at: number, a: number, b: number): number {
  const taken = program[at + 1] ?? 0;
  const otherwise = program[at + 2] ?? 0;
  switch ((program[at] ?? 0) & 0xf0) {
    case 0x10:
      return a === b ? taken : otherwise;
    case 0x20:
      return a >>> 0 > b >>> 0 ? taken : otherwise;
    case 0x30:
      return a >>> 0 >= b >>> 0 ? taken : otherwise;
    case 0x40:
      return (a & b) !== 0 ? taken : otherwise;
    default:
      return program[at + 3] ?? 0;
  }
}
