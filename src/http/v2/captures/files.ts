import type { z } from 'zod';
import type { conversationPage, decodedPacket, followed, packetPage, packetSearch } from './schema.ts';

/** A capture file of a project. */
export interface CaptureAt {
  projectPath: string;
  name: string;
}

type Page = z.output<typeof packetPage>;
type Found = z.output<typeof packetSearch>;
type Followed = z.output<typeof followed>;

/** The packets of capture files. All of it throws `not_found`, and `invalid_request` for a filter that says nothing. */
export interface PacketFiles {
  /** Newest first. */
  list(projectPath: string): Promise<{ file_name: string; bytes: number; modified_at: string }[]>;
  page(at: CaptureAt, asked: { filter: string; from: number; count: number }): Promise<Page>;
  packet(at: CaptureAt, number: number, decoder?: 'topolog' | 'tshark'): Promise<z.output<typeof decodedPacket>>;
  conversations(
    at: CaptureAt,
    asked: { filter: string; layer: 'ethernet' | 'ip' | 'transport' },
  ): Promise<z.output<typeof conversationPage>>;
  follow(
    at: CaptureAt,
    number: number,
  ): Promise<Omit<Followed, 'parts'> & { parts: { number: number; time: number; end: 0 | 1; bytes: Uint8Array }[] }>;
  /** `others`: files where it may have been met as well. */
  journey(
    at: CaptureAt,
    number: number,
    others: readonly CaptureAt[],
  ): Promise<{ at: CaptureAt; frame: { number: number; time: number } }[]>;
  search(
    projectPath: string,
    asked: { filter: string; count: number },
  ): Promise<Omit<Found, 'packets'> & { packets: (Page['packets'][number] & { capture: string })[] }>;
}
