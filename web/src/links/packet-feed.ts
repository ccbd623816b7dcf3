import type { Client } from 'topolog/client';
import { keepSocket, type KeptSocket } from '../store/kept-socket.ts';
import { createStore, type Store } from '../store/store.ts';
import { NO_PACKETS, type PacketList, type PacketMessage, takePackets } from './packets.ts';

/** Packets that come together are shown together. */
const SOON_MS = 100;

export interface PacketFeed {
  readonly list: Store<PacketList>;
  readonly socket: KeptSocket;
  readonly clear: () => void;
  readonly close: () => void;
}

/** Follows the packets of a link’s capture, for as long as it is wanted. */
export const followPackets = (client: Client, projectId: string, linkId: string): PacketFeed => {
  const list = createStore(NO_PACKETS);
  const url = client.socketUrl('/v2/projects/{project_id}/links/{link_id}/packets', {
    path: { project_id: projectId, link_id: linkId },
  });
  const decoder = new TextDecoder();
  let waiting: PacketMessage[] = [];
  let timer: ReturnType<typeof setTimeout> | null = null;
  const show = (): void => {
    timer = null;
    const messages = waiting;
    waiting = [];
    list.update((now) => takePackets(now, messages));
  };
  const socket = keepSocket({
    open: () => new WebSocket(url),
    onBytes: (bytes) => {
      waiting.push(JSON.parse(decoder.decode(bytes)) as PacketMessage);
      timer ??= setTimeout(show, SOON_MS);
    },
    // It begins with those that were told already.
    onAgain: () => list.set(NO_PACKETS),
  });
  return {
    list,
    socket,
    clear: () => list.set(NO_PACKETS),
    close: () => {
      socket.close();
      if (timer !== null) clearTimeout(timer);
    },
  };
};
