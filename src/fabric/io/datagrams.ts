import type { FrameBatch, FrameSink } from '../frames/frame-batch.ts';

export interface Peer {
  host: string;
  port: number;
}

/** A bound UDP socket that talks to one peer: one frame a datagram. Errors of the network are counted, never thrown. */
export interface DatagramSocket extends FrameSink {
  /** Behind all that it took before. */
  takeBatch(batch: FrameBatch): void;
  /** Another peer from now on. */
  connect(peer: Peer): Promise<void>;
  readonly port: number;
  /** Frames that could not be sent: peer not there, frame too long, socket full. */
  readonly failed: number;
  close(): Promise<void>;
}

/** Where frames meet the host's UDP: node-datagrams.ts everywhere, native/native-datagrams.ts where it can. */
export interface DatagramSockets {
  /** Throws FabricError: `port_taken`, or `invalid` when an address is not one of this machine or does not resolve. */
  open(local: Peer, peer: Peer, sink: FrameSink): Promise<DatagramSocket>;
}

/** Bursts of some thousand frames; the kernel gives what it allows. */
export const SOCKET_BUFFER = 4_000_000;
/** Octets that may wait in a socket that takes no more. */
export const MOST_QUEUED = 4_000_000;

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost)$/i;

/** Where a cable's UDP end is bound when it does not say. */
export function localHost(rhost: string): string {
  if (rhost === '::1') return '::1';
  if (LOOPBACK.test(rhost)) return '127.0.0.1';
  return rhost.includes(':') ? '::' : '0.0.0.0';
}
