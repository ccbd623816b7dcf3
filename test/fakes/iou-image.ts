import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** How a fake image differs from one that simply runs; each makes it fail in a way that is known of real ones. */
export interface FakeImage {
  /** The only licence key that it takes; default: it needs none. */
  key?: string;
  /** It does not know `-l`. */
  noKeepalives?: boolean;
  /** Ends at once as a program does that crashes. */
  crashes?: boolean;
  /** Never listens for frames. */
  mute?: boolean;
}

const FAKE = path.join(import.meta.dirname, `iou${path.extname(import.meta.url)}`);

/** Puts a fake image into a data directory: a real ELF program that becomes Node with the fake's script. */
export const installImage = (dataDir: string, name = 'l3.bin', how: FakeImage = {}): string => {
  const directory = path.join(dataDir, 'images', 'IOU');
  mkdirSync(directory, { recursive: true });
  const script = path.join(dataDir, `${name}.mjs`);
  writeFileSync(
    script,
    `import { runFake } from ${JSON.stringify(FAKE)};\nawait runFake(${JSON.stringify({ name, ...how })});\n`,
  );
  const file = path.join(directory, name);
  writeFileSync(file, launcher(process.execPath, script), { mode: 0o755 });
  return file;
};

const BASE = 0x400000;
const CODE_AT = 120;
const CODE_LENGTH = 58;

/**
 * An ELF program for x86-64 Linux that runs `program script <its own arguments>` in its place: it puts the two names over argc and
 * argv[0] on its stack, which makes that the new argument list, and calls execve.
 */
export const launcher = (program: string, script: string): Buffer => {
  const [first, second] = [Buffer.from(`${program}\0`), Buffer.from(`${script}\0`)];
  const firstAt = CODE_AT + CODE_LENGTH;
  const secondAt = firstAt + first.length;
  /** Distance from the end of an instruction that begins at `at` and has seven octets. */
  const relative = (at: number, to: number): number[] => {
    const bytes = Buffer.alloc(4);
    bytes.writeInt32LE(to - (CODE_AT + at + 7));
    return [...bytes];
  };
  const code = Buffer.from([
    ...[0x48, 0x8b, 0x0c, 0x24], // mov rcx, [rsp]
    ...[0x48, 0x8d, 0x54, 0xcc, 0x10], // lea rdx, [rsp + rcx*8 + 16]
    ...[0x48, 0x8d, 0x05, ...relative(9, firstAt)], // lea rax, [program]
    ...[0x48, 0x89, 0x04, 0x24], // mov [rsp], rax
    ...[0x48, 0x8d, 0x05, ...relative(20, secondAt)], // lea rax, [script]
    ...[0x48, 0x89, 0x44, 0x24, 0x08], // mov [rsp + 8], rax
    ...[0x48, 0x89, 0xe6], // mov rsi, rsp
    ...[0x48, 0x8b, 0x3c, 0x24], // mov rdi, [rsp]
    ...[0xb8, 0x3b, 0, 0, 0, 0x0f, 0x05], // execve
    ...[0xbf, 0x7f, 0, 0, 0, 0xb8, 0x3c, 0, 0, 0, 0x0f, 0x05], // exit(127)
  ]);
  const content = Buffer.concat([code, first, second]);
  return Buffer.concat([elfHeader(content.length), content]);
};

const elfHeader = (length: number): Buffer => {
  const header = Buffer.alloc(CODE_AT);
  header.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  header.writeUInt16LE(2, 16); // an executable
  header.writeUInt16LE(62, 18); // for x86-64
  header.writeUInt32LE(1, 20);
  header.writeBigUInt64LE(BigInt(BASE + CODE_AT), 24);
  header.writeBigUInt64LE(64n, 32);
  header.writeUInt16LE(64, 52);
  header.writeUInt16LE(56, 54);
  header.writeUInt16LE(1, 56);
  header.writeUInt32LE(1, 64); // PT_LOAD
  header.writeUInt32LE(5, 68); // readable, executable
  header.writeBigUInt64LE(BigInt(BASE), 80);
  header.writeBigUInt64LE(BigInt(BASE), 88);
  header.writeBigUInt64LE(BigInt(CODE_AT + length), 96);
  header.writeBigUInt64LE(BigInt(CODE_AT + length), 104);
  header.writeBigUInt64LE(0x1000n, 112);
  return header;
};
