import { messageOf } from '../../../common/errors.ts';
import type { Properties, Ran } from '../../kit/contract.ts';
import { asWritten, type FillIn } from '../../shared/placeholders.ts';
import { splitWords } from '../../shared/process/shell-words.ts';
import { bytesOf, type Service, ServiceError } from '../service.ts';
import { BUSYBOX } from './init.ts';

/** Milliseconds that one command may take. */
const COMMAND_MS = 60_000;
/** Octets of its output that are looked at. */
const OUTPUT = 256 * 1024;
/** Characters of them that are told. */
export const TOLD = 500;

/**
 * Runs what the node asks for once its container runs and has its interfaces, one after the other. Words are split as a shell does it, no
 * shell runs them. Resolves with a sentence for each that failed: the container runs all the same.
 */
export const runCommands = async (
  service: Service,
  id: string,
  properties: Properties,
  { fill = asWritten, signal }: { fill?: FillIn; signal: AbortSignal },
): Promise<string[]> => {
  const failed: string[] = [];
  for (const line of (properties['commands'] as string[] | undefined) ?? []) {
    signal.throwIfAborted();
    const said = await run(
      service,
      id,
      () => splitWords(line, 'commands').map((word) => fill(word, 'commands')),
      signal,
    );
    if (said !== null) failed.push(`command ${line}: ${said}`);
  }
  return failed;
};

/** null: it ended with code 0. */
const run = async (
  service: Service,
  id: string,
  wordsOf: () => string[],
  signal: AbortSignal,
): Promise<string | null> => {
  try {
    const words = wordsOf();
    if (words.length === 0) return null;
    const { code, output: whole, failed } = await runInside(service, id, { words }, signal);
    if (failed !== undefined) return failed;
    const output = whole.slice(-TOLD);
    return code === 0 ? null : `it ended with code ${code ?? 'unknown'}${output === '' ? '' : `: ${output}`}`;
  } catch (error) {
    signal.throwIfAborted();
    return messageOf(error);
  }
};

/** Output and end of a program. */
interface Said extends Ran {
  /** Why it cannot be told how it ended. */
  failed?: string;
}

interface Program {
  words: readonly string[];
  /** Another user than that of the container. */
  user?: string;
  /** Longest time that it may take. */
  ms?: number;
}

/** Runs a program in a container. Throws when aborted. */
export const runInside = async (
  service: Service,
  id: string,
  { words, user, ms = COMMAND_MS }: Program,
  signal: AbortSignal,
): Promise<Said> => {
  const within = AbortSignal.any([signal, AbortSignal.timeout(ms)]);
  const nothing = { code: null, output: '', stdout: '' };
  let exec = '';
  try {
    const body = { Cmd: words, AttachStdout: true, AttachStderr: true, ...(user === undefined ? {} : { User: user }) };
    exec = (await service.call<{ Id: string }>('POST', `/containers/${id}/exec`, { body })).Id;
    const answer = await service.stream('POST', `/exec/${exec}/start`, {
      body: { Detach: false, Tty: false },
      signal: within,
    });
    const frames = await bytesOf(answer, OUTPUT);
    // An answer that is cut off may look as if it had ended.
    within.throwIfAborted();
    if (frames.length > OUTPUT) return { ...nothing, failed: `it printed more than ${OUTPUT} octets` };
    const { ExitCode } = await service.call<{ ExitCode: number | null }>('GET', `/exec/${exec}/json`);
    return { code: ExitCode, output: outputIn(frames), stdout: outputIn(frames, STDERR) };
  } catch (error) {
    if (within.aborted) await endProgram(service, exec).catch(() => undefined);
    if (isTimeout(within.reason)) return { ...nothing, isLate: true, failed: `it has not ended after ${ms / 1000} s` };
    signal.throwIfAborted();
    if (error instanceof ServiceError) return { ...nothing, failed: error.message };
    throw error;
  }
};

/** Ends a program with all that it has started: the service makes it the first of a session. */
const endProgram = async (service: Service, exec: string): Promise<void> => {
  const { Running, Pid } = await service.call<{ Running: boolean; Pid: number }>('GET', `/exec/${exec}/json`);
  if (Running && Pid > 1) process.kill(-Pid, 'SIGKILL');
};

const isTimeout = (reason: unknown): boolean => reason instanceof Error && reason.name === 'TimeoutError';

const STDERR = 2;

/** Frames of 8 octets (the stream, three zeros, the length) and what was printed (Docker Engine API, attach). */
const outputIn = (frames: Buffer, without?: number): string => {
  const parts: Buffer[] = [];
  for (let at = 0; at + 8 <= frames.length;) {
    const length = frames.readUInt32BE(at + 4);
    if (frames[at] !== without) parts.push(frames.subarray(at + 8, at + 8 + length));
    at += 8 + length;
  }
  return Buffer.concat(parts).toString('utf8').trim();
};

/** `ping` of busybox stands in for one that the image lacks, and so does its shell. */
const SHELL = `l=$1; s=/bin/sh; [ -x $s ] || s='${BUSYBOX} sh'
command -v ping > /dev/null || l="ping() { ${BUSYBOX} ping \"\$@\"; }; $l"
exec $s -c "$l"`;

/** Runs a line of a shell in a container. `hasBusybox`: that of this machine is in it. */
export const runLine = (
  service: Service,
  id: string,
  { line, ms, root = false, hasBusybox }: { line: string; ms: number; root?: boolean; hasBusybox: boolean },
  signal: AbortSignal,
): Promise<Said> => {
  const words = hasBusybox ? [BUSYBOX, 'sh', '-c', SHELL, 'topolog', line] : ['/bin/sh', '-c', line];
  return runInside(service, id, { words, ms, ...(root ? { user: '0' } : {}) }, signal);
};
