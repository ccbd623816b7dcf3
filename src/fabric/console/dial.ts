import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { readInSlices } from '../../common/slices.ts';
import { lookupElsewhere } from '../../common/loopback.ts';
import type { ConsoleSocket, HttpUpgrade, OutsideConsole } from '../protocol.ts';
import { createTelnetStripper, escapeTelnet } from './telnet.ts';

/** What becomes of one attempt to reach a console outside. `lost` is called once, also when it never opened. */
export interface Dialer {
  opened(way: Way): void;
  output(bytes: Uint8Array): void;
  lost(): void;
}

/** A console that was reached. */
export interface Way {
  stream: Duplex;
  /** What is typed, as the other side takes it. */
  encode(bytes: Uint8Array): Uint8Array;
}

/** Connects once; what it answers gives up or hangs up. `first`: no attempt for this console has opened yet. */
export const dial = (to: OutsideConsole['to'], first: boolean, dialer: Dialer): (() => void) => {
  if ('http_upgrade' in to) return dialUpgrade(to.http_upgrade, first, dialer);
  if ('websocket' in to) return dialWebSocket(to.websocket, dialer);
  if (!('path' in to)) return dialTelnet(connect(to.port, to.host), escapeTelnet, dialer);
  const pass = dropping(to.drops ?? '');
  const socket = connect(to.path);
  return to.telnet === true
    ? dialTelnet(socket, (bytes) => escapeTelnet(pass(bytes)), dialer)
    : dialSocket(socket, pass, dialer);
};

/** A message is what a console has printed at once; octets and milliseconds. */
const BOUNDS = { maxPayload: 4 << 20, handshakeTimeout: 10_000, perMessageDeflate: false };

/** The package is loaded when it is first needed: most fabrics never do. */
const dialWebSocket = (
  { url, headers, certificate, telnet, elsewhere }: ConsoleSocket,
  dialer: Dialer,
): (() => void) => {
  let over = false;
  let hangUp = (): void => undefined;
  const strip = createTelnetStripper();
  const way = telnet ? { ...dialer, output: (bytes: Uint8Array) => dialer.output(strip(bytes)) } : dialer;
  const connecting = async (): Promise<void> => {
    const { createWebSocketStream, WebSocket } = await import('ws');
    if (over) return dialer.lost();
    const trust = certificate === undefined ? {} : { ca: certificate, checkServerIdentity: () => undefined };
    const socket = new WebSocket(url, {
      headers,
      ...trust,
      ...BOUNDS,
      ...(elsewhere === true ? { lookup: lookupElsewhere } : {}),
    });
    hangUp = () => socket.terminate();
    let isOpen = false;
    socket.on('error', () => undefined);
    socket.once('close', () => {
      if (!isOpen) dialer.lost();
    });
    socket.once('open', () => {
      isOpen = true;
      const stream = createWebSocketStream(socket);
      dialer.opened({ stream, encode: telnet ? escapeTelnet : plain });
      carry(stream, way);
    });
  };
  connecting().catch(() => dialer.lost());
  return () => {
    over = true;
    hangUp();
  };
};

const dialTelnet = (socket: Socket, encode: Way['encode'], dialer: Dialer): (() => void) => {
  const strip = createTelnetStripper();
  return dialSocket(socket, encode, { ...dialer, output: (bytes) => dialer.output(strip(bytes)) });
};

/**
 * Whole characters, wherever they are typed: how a line is put together out of what is typed (cursor keys, what was typed earlier) only
 * its reader knows.
 */
const dropping = (characters: string): Way['encode'] => {
  const dropped = new Set(Buffer.from(characters, 'latin1'));
  return dropped.size === 0 ? plain : (bytes) => bytes.filter((byte) => !dropped.has(byte));
};

/** Octets of a node's output in one turn: sent to every client and recorded. */
const PIECE = 16 * 1024;

const plain: Way['encode'] = (bytes) => bytes;

const dialSocket = (socket: Socket, encode: Way['encode'], dialer: Dialer): (() => void) => {
  // At once: a socket keeps what is typed until it is connected.
  dialer.opened({ stream: socket, encode });
  carry(socket, dialer);
  return () => socket.destroy();
};

/** HTTP's Upgrade (RFC 9110, 7.8) of a POST: after status 101 the connection carries the console's bytes as they are. */
const dialUpgrade = (
  { socket: socketPath, path, first_path }: HttpUpgrade,
  first: boolean,
  dialer: Dialer,
): (() => void) => {
  let opened: Duplex | null = null;
  const asked = request({
    socketPath,
    method: 'POST',
    path: first ? (first_path ?? path) : path,
    headers: { Connection: 'Upgrade', Upgrade: 'tcp' },
    agent: false,
  });
  asked.once('upgrade', (_answer, stream: Duplex, head: Buffer) => {
    opened = stream;
    dialer.opened({ stream, encode: plain });
    if (head.length > 0) dialer.output(head);
    carry(stream, dialer);
  });
  // A refusal, such as of a container that does not run.
  asked.once('response', () => asked.destroy());
  asked.on('error', () => undefined);
  asked.once('close', () => {
    if (opened === null) dialer.lost();
  });
  asked.end();
  return () => {
    asked.destroy();
    opened?.destroy();
  };
};

const carry = (stream: Duplex, dialer: Dialer): void => {
  readInSlices(stream, PIECE, (bytes) => dialer.output(bytes));
  stream.on('error', () => undefined);
  // The other side has ended it: nothing that is typed would arrive.
  stream.once('end', () => stream.destroy());
  stream.once('close', () => dialer.lost());
};
