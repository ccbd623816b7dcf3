import { request } from '../../support/server.ts';
import type { Random } from '../prng.ts';

/** Where clients of a recorded server ask: each request is a step of the story. */
export interface Desk {
  readonly url: string;
  /** The data directory. */
  readonly root: string;
  readonly random: Random;
  /** What each part was after its last answer. */
  readonly shown: ReadonlyMap<string, string>;
  /** Environment in which a program is recorded as well. */
  readonly env: NodeJS.ProcessEnv;
  /** A change of a part. `meanwhile`: what it may be before the answer, beside what it was and becomes. */
  step(part: string, what: string, act: () => Promise<unknown>, meanwhile?: string[]): Promise<void>;
  /** A part of which only the answer says which it is; null: there was none. */
  stepOfUnknown(what: string, act: () => Promise<string | null>): Promise<string | null>;
}

/** Asks once; called again and again. */
export type Client = () => Promise<void>;

/** Asks, whatever the answer: what was refused leaves the part as it was. */
export const ask = (desk: Desk, method: string, where: string, body: object = {}): Promise<unknown> =>
  request(desk.url, method, where, body);

export const upload = (url: string, where: string, bytes: Buffer): Promise<Response> =>
  fetch(`${url}${where}`, {
    method: 'POST',
    body: new Uint8Array(bytes),
    headers: { 'content-type': 'application/octet-stream' },
  });

/** Now and then long, so that journals are many blocks and start over. */
export const someText = (random: Random): string => {
  const length = random.below(5) === 0 ? 20_000 + random.below(100_000) : random.below(300);
  let text = '';
  while (text.length < length) text += random.next().toString(36);
  return text;
};

export const someBytes = (random: Random): Buffer => {
  const bytes = Buffer.alloc(random.below(4) === 0 ? random.below(200_000) : random.below(3_000));
  for (let at = 0; at + 8 < bytes.length; at += 8) bytes.writeDoubleLE(random.next(), at);
  return bytes;
};

export const routeOf = (part: string): string => `/v2/${part.replace('project/', 'projects/')}`;
