import type { Random } from '../prng.ts';
import type { Client, Ending, Reply } from '../../fuzz/client.ts';
import type { Document, Operation, Schemas } from '../../fuzz/document.ts';
import type { Judge } from '../../fuzz/judge.ts';
import type { WatchedServer } from '../../fuzz/watched-server.ts';

/** What a phase of attacks has at hand. */
export interface Attack {
  server: WatchedServer;
  client: Client;
  document: Document;
  operations: readonly Operation[];
  schemas: Schemas;
  random: Random;
  judge: Judge;
  /** An opened project with some nodes that run; made again when somebody took it away. */
  lab: { project_id: string; nodes: string[]; consoles: number[]; ids: Readonly<Record<string, string>> };
  /** Whether the time of the phase is over. */
  isOver: () => boolean;
  /** What should not be, with what repeats it. */
  blame: (what: string) => void;
  /** Tells of the work, which is called so, how long programs paused under it. */
  during: (name: string, work: () => Promise<unknown>) => Promise<void>;
}

/** Figures of a phase, by what they count. */
export type Figures = Record<string, number>;
export type Phase = (attack: Attack) => Promise<Figures>;

/** Sends a request and holds the answer against the document. */
export const send = async (
  { client, judge, blame }: Attack,
  method: string,
  url: string,
  body: Buffer | null,
  headers: Record<string, string> = {},
): Promise<Reply | Ending> => {
  const reply = await client.send({ method, url, headers, body, hangUp: null }, true);
  const repeat = `${method} ${url} ${JSON.stringify(headers).slice(0, 300)} ${(body ?? '').toString('latin1').slice(0, 500)}`;
  // An answer that comes while the body is still being sent may be lost with the connection.
  if (typeof reply === 'string') {
    if (reply === 'silent') blame(`no answer: ${repeat}`);
    return reply;
  }
  const wrong = judge(method, reply);
  if (wrong !== null) blame(`${wrong}: ${reply.text.slice(0, 300)}\n    ${repeat}`);
  return reply;
};

export const count = (figures: Figures, reply: Reply | Ending): void => {
  const key = typeof reply === 'string' ? reply : String(reply.status);
  figures[key] = (figures[key] ?? 0) + 1;
};
