import { messageOf } from '../../../common/errors.ts';
import type { Properties } from '../../kit/contract.ts';
import { asWritten, type FillIn } from '../../shared/placeholders.ts';
import { splitWords } from '../../shared/process/shell-words.ts';
import { bytesOf, type Service, ServiceError } from '../service.ts';

/** Milliseconds that one command may take. */
const COMMAND_MS = 60_000;
/** Octets of its output that are looked at. */
const OUTPUT = 256 * 1024;
/** Characters of them that are told. */
const TOLD = 500;

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
    const { code, output, failed } = await runInside(service, id, { words }, signal);
    if (failed !== undefined) return failed;
    return code === 0 ? null : `it ended with code ${code ?? 'unknown'}${output === '' ? '' : `: ${output}`}`;
  } catch (error) {
    signal.throwIfAborted();
    return messageOf(error);
  }
};

interface Said {
  code: number | null;
  /** The end of it. */
  output: string;
  /** Why it cannot be told how it ended. */
  failed?: string;
}

/** Runs a program in a container. `user`: another one than that of the container. Throws when aborted. */
export const runInside = async (
  service: Service,
  id: string,
  { words, user }: { words: readonly string[]; user?: string },
  signal: AbortSignal,
): Promise<Said> => {
  const within = AbortSignal.any([signal, AbortSignal.timeout(COMMAND_MS)]);
  try {
    const body = { Cmd: words, AttachStdout: true, AttachStderr: true, ...(user === undefined ? {} : { User: user }) };
    const { Id } = await service.call<{ Id: string }>('POST', `/containers/${id}/exec`, { body });
    const answer = await service.stream('POST', `/exec/${Id}/start`, {
      body: { Detach: false, Tty: false },
      signal: within,
    });
    const output = outputIn(await bytesOf(answer, OUTPUT));
    const { ExitCode } = await service.call<{ ExitCode: number | null }>('GET', `/exec/${Id}/json`);
    return { code: ExitCode, output };
  } catch (error) {
    if (isTimeout(within.reason))
      return { code: null, output: '', failed: `it has not ended after ${COMMAND_MS / 1000} s` };
    signal.throwIfAborted();
    if (error instanceof ServiceError) return { code: null, output: '', failed: error.message };
    throw error;
  }
};

const isTimeout = (reason: unknown): boolean => reason instanceof Error && reason.name === 'TimeoutError';

/** Frames of 8 octets (the stream, three zeros, the length) and what was printed (Docker Engine API, attach). */
const outputIn = (frames: Buffer): string => {
  const parts: Buffer[] = [];
  for (let at = 0; at + 8 <= frames.length;) {
    const length = frames.readUInt32BE(at + 4);
    parts.push(frames.subarray(at + 8, at + 8 + length));
    at += 8 + length;
  }
  return Buffer.concat(parts).toString('utf8').trim().slice(-TOLD);
};
