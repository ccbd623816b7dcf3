import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** What was done to files below a root, in order. Paths are relative to it; `h` is an open file, of whatever process. */
export type Op =
  | { op: 'open'; h: string; path: string; flags: number; mode: number }
  | { op: 'write'; h: string; at: number; bytes: Buffer }
  | { op: 'truncate'; h: string; size: number }
  | { op: 'sync'; h: string; id: string }
  | { op: 'synced'; id: string }
  | { op: 'close'; h: string }
  | { op: 'rename' | 'link'; path: string; to: string }
  | { op: 'symlink'; target: string; path: string }
  | { op: 'unlink' | 'rmdir'; path: string }
  | { op: 'mkdir'; path: string; mode: number }
  /** Said by the client: a request goes out, or its answer is there. */
  | { op: 'mark'; text: string }
  /** The recorder met what it cannot record. */
  | { op: 'unseen'; text: string };

const SOURCE = path.resolve(import.meta.dirname, '../../../../test/faults/states/recorder.c');

/** Why there is no recorder here; null: it can be made. */
export const whyNoRecorder = (): string | null => {
  if (process.platform !== 'linux') return 'file operations are recorded on Linux only';
  try {
    execFileSync('cc', ['--version'], { stdio: 'ignore' });
    return null;
  } catch {
    return 'the recorder is compiled by cc, which is not installed (apt-get install gcc libc6-dev)';
  }
};

/** Compiles the recorder into a directory and returns its file. */
export const makeRecorder = (directory: string): string => {
  const recorder = path.join(directory, 'recorder.so');
  execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', recorder, SOURCE, '-ldl', '-pthread'], { stdio: 'inherit' });
  return recorder;
};

/** Environment of a process whose file operations below `root` are recorded. `pause`: microseconds that a sync takes at most. */
export const recordingEnv = (recorder: string, file: string, root: string, pause: number): NodeJS.ProcessEnv => ({
  LD_PRELOAD: recorder,
  TOPOLOG_RECORD: file,
  TOPOLOG_RECORD_ROOT: root,
  TOPOLOG_RECORD_PAUSE: String(pause),
  UV_USE_IO_URING: '0',
});

const HEAD = 48;
const MARK = 13;

/** Puts a mark into a record: after everything that is in it. */
export const mark = (file: string, text: string): void => {
  const data = Buffer.from(text);
  const record = Buffer.alloc(HEAD + data.length);
  record.writeUInt32LE(record.length, 0);
  record.writeUInt32LE(MARK, 4);
  record.writeUInt32LE(data.length, 40);
  data.copy(record, HEAD);
  appendFileSync(file, record);
};

/** What recorder.c writes. */
export const readRecord = (file: string): Op[] => {
  const all = readFileSync(file);
  const ops: Op[] = [];
  for (let at = 0; at < all.length;) {
    const length = all.readUInt32LE(at);
    ops.push(decode(all.subarray(at, at + length)));
    at += length;
  }
  return ops;
};

const decode = (record: Buffer): Op => {
  const type = record.readUInt32LE(4);
  const h = record.readBigUInt64LE(8).toString(16);
  const a = Number(record.readBigInt64LE(16));
  const mode = Number(record.readBigInt64LE(24));
  const one = HEAD + record.readUInt32LE(32);
  const two = one + record.readUInt32LE(36);
  const [first, second, bytes] = [
    record.toString('utf8', HEAD, one),
    record.toString('utf8', one, two),
    record.subarray(two),
  ];
  const id = record.readBigInt64LE(16).toString(16);
  switch (type) {
    case 1:
      return { op: 'open', h, path: first, flags: a, mode };
    case 2:
      return { op: 'write', h, at: a, bytes };
    case 3:
      return { op: 'truncate', h, size: a };
    case 4:
      return { op: 'sync', h, id };
    case 5:
      return { op: 'synced', id };
    case 6:
      return { op: 'close', h };
    case 7:
      return { op: 'rename', path: first, to: second };
    case 8:
      return { op: 'link', path: first, to: second };
    case 9:
      return { op: 'symlink', target: first, path: second };
    case 10:
      return { op: 'unlink', path: first };
    case 11:
      return { op: 'mkdir', path: first, mode: a };
    case 12:
      return { op: 'rmdir', path: first };
    case MARK:
      return { op: 'mark', text: bytes.toString() };
    case 14:
      return { op: 'unseen', text: first };
    default:
      throw new Error(`the record has a type ${type} that is not known`);
  }
};
