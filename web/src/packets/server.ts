import { ApiError, type Schemas } from 'topolog/client';
import type { Lab } from '../store/lab.ts';
import { sentenceOf } from '../store/notices.ts';
import { told } from '../words/words.ts';

export type Packet = Schemas['PacketPage']['packets'][number];
export type PacketPage = Schemas['PacketPage'];
export type DecodedPacket = Schemas['DecodedPacket'];
export type PacketField = Schemas['PacketField'];
export type Conversations = Schemas['Conversations'];
export type Conversation = Conversations['conversations'][number];
export type Followed = Schemas['Conversation'];
export type Met = Schemas['PacketJourney'][number];
export type Found = Schemas['PacketSearch'];
export type DecodedBy = DecodedPacket['decoded_by'];
export type Layer = 'ethernet' | 'ip' | 'transport';

/** Problem with a filter, and its place if the server says it: characters from 0 on. */
export interface FilterProblem {
  readonly text: string;
  readonly at: number | null;
  readonly length: number;
}

export const problemWith = (error: unknown): FilterProblem => {
  const { field, at, length } = error instanceof ApiError ? error.details : {};
  const isPlace = field === 'filter' && typeof at === 'number' && typeof length === 'number';
  if (!isPlace || !(error instanceof ApiError)) return { text: sentenceOf(error), at: null, length: 0 };
  return { text: told(error.message.replace(/^The request is not valid: filter: /, '')), at, length };
};

const pathOf = ({ projectId }: Lab, capture: string) => ({ project_id: projectId, capture_name: capture });

export const readPage = (
  lab: Lab,
  capture: string,
  { filter, from, count }: { filter: string; from: number; count: number },
  signal?: AbortSignal,
): Promise<PacketPage> =>
  lab.client.get('/v2/projects/{project_id}/captures/{capture_name}/packets', {
    path: pathOf(lab, capture),
    query: { from: String(from), count: String(count), ...(filter === '' ? {} : { filter }) },
    signal,
  });

export const readPacket = (
  lab: Lab,
  capture: string,
  { number, decoder }: { number: number; decoder: DecodedBy },
  signal?: AbortSignal,
): Promise<DecodedPacket> =>
  lab.client.get('/v2/projects/{project_id}/captures/{capture_name}/packets/{packet_number}', {
    path: { ...pathOf(lab, capture), packet_number: number },
    query: { decoder },
    signal,
  });

export const readConversations = (
  lab: Lab,
  capture: string,
  { filter, layer }: { filter: string; layer: Layer },
  signal?: AbortSignal,
): Promise<Conversations> =>
  lab.client.get('/v2/projects/{project_id}/captures/{capture_name}/conversations', {
    path: pathOf(lab, capture),
    query: { layer, ...(filter === '' ? {} : { filter }) },
    signal,
  });

export const readFollowed = (lab: Lab, capture: string, number: number, signal?: AbortSignal): Promise<Followed> =>
  lab.client.get('/v2/projects/{project_id}/captures/{capture_name}/packets/{packet_number}/conversation', {
    path: { ...pathOf(lab, capture), packet_number: number },
    signal,
  });

export const readJourney = (lab: Lab, capture: string, number: number): Promise<Met[]> =>
  lab.client.get('/v2/projects/{project_id}/captures/{capture_name}/packets/{packet_number}/journey', {
    path: { ...pathOf(lab, capture), packet_number: number },
  });

export const searchPackets = (lab: Lab, filter: string, signal?: AbortSignal): Promise<Found> =>
  lab.client.get('/v2/projects/{project_id}/packets', {
    path: { project_id: lab.projectId },
    query: { count: '1000', ...(filter === '' ? {} : { filter }) },
    signal,
  });

/** The octets of base64. */
export const octetsOf = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
