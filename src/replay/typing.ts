import type { Duplex } from 'node:stream';
import { messageOf } from '../common/errors.ts';
import type { Recording } from '../session/format.ts';
import type { Clock } from './pacing.ts';
import type { ReplayHost } from './host.ts';
import type { Ids } from './mapping.ts';

/** Types the input of recorded consoles again. Their output is not compared. */
export interface Typing {
  /** Types all input up to a recorded time, when it is due; null: all the rest. */
  until(at: string | null, clock: Clock, signal: AbortSignal): Promise<void>;
  /** Failures, as sentences. */
  problems: readonly string[];
  close(): void;
}

interface Typed {
  node_id: string;
  /** ISO time. */
  at: string;
  text: string;
}

/** Reads the input from asciicast v3 files (https://docs.asciinema.org/manual/asciicast/v3/), in the order in which it was typed. */
export const typedIn = (recordings: readonly Recording[]): Typed[] => {
  const files = new Map<string, Recording[]>();
  for (const part of recordings) {
    const key = `${part.node_id}/${part.name}`;
    files.set(key, [...(files.get(key) ?? []), part]);
  }
  return [...files.values()]
    .flatMap((parts) => inputOf(parts.sort((a, b) => a.offset - b.offset)))
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
};

interface Header {
  /** Seconds since 1970. */
  timestamp?: number;
  /** The same with milliseconds, an extension of this server. */
  topolog?: { started_at?: string };
}

const inputOf = (parts: readonly Recording[]): Typed[] => {
  const node_id = parts[0]?.node_id ?? '';
  const [first, ...lines] = parts
    .map((part) => part.content ?? '')
    .join('')
    .split('\n');
  const header = parsed(first ?? '') as Header | null;
  let time = Date.parse(header?.topolog?.started_at ?? '');
  if (Number.isNaN(time)) time = (header?.timestamp ?? NaN) * 1000;
  if (Number.isNaN(time)) return [];
  return lines.flatMap((line) => {
    const event = parsed(line);
    // Lines may be comments, and the last one of a killed server may be torn.
    if (!Array.isArray(event) || typeof event[0] !== 'number') return [];
    time += event[0] * 1000;
    const [, code, text] = event as unknown[];
    return code === 'i' && typeof text === 'string' ? [{ node_id, at: new Date(time).toISOString(), text }] : [];
  });
};

const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
};

export const createTyping = (
  host: ReplayHost,
  { projectId, ids }: { projectId: string; ids: Ids },
  typed: readonly Typed[],
  begin: string,
): Typing => {
  const consoles = new Map<string, Duplex>();
  const problems: string[] = [];
  // Skips input before the replay's beginning, as the lab already contains its effect.
  let next = typed.findIndex((t) => t.at >= begin);
  if (next === -1) next = typed.length;

  const consoleOf = async (nodeId: string): Promise<Duplex | undefined> => {
    const open = consoles.get(nodeId);
    if (open?.writable === true) return open;
    const made = await host.openConsole?.(`/v2/projects/${projectId}/nodes/${ids.of(nodeId)}/console/ws`);
    if (made === undefined) return undefined;
    made.resume();
    made.on('error', () => undefined);
    consoles.set(nodeId, made);
    return made;
  };
  const type = async ({ node_id, text }: Typed): Promise<void> => {
    try {
      (await consoleOf(node_id))?.write(text);
    } catch (error) {
      problems.push(`the console of ${node_id}: ${messageOf(error)}`);
    }
  };

  return {
    problems,
    async until(at, clock, signal) {
      for (let one = typed[next]; one !== undefined && (at === null || one.at < at); one = typed[next]) {
        next++;
        await clock.wait(one.at, signal);
        if (signal.aborted) return;
        await type(one);
      }
    },
    close() {
      for (const open of consoles.values()) open.destroy();
    },
  };
};
