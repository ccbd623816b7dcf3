import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { frameWith } from '../emulators/datagrams.ts';

const BEAT_MS = 25;

/** Numbered frames sent again and again to a port of the lab, each of which is to come back. */
export class Beat {
  readonly #socket: Socket;
  readonly #back = new Set<number>();
  readonly #heard: (() => void)[] = [];
  readonly #timer: NodeJS.Timeout;
  #sent = 0;
  #pausedAt = 0;

  private constructor(socket: Socket, to: () => number | null) {
    this.#socket = socket;
    socket.on('message', (frame) => {
      const number = /beat(\d+);/.exec(frame.toString('latin1'))?.[1];
      if (number === undefined) return;
      this.#back.add(Number(number));
      for (const heard of this.#heard.splice(0)) heard();
    });
    this.#timer = setInterval(() => {
      const port = to();
      if (port === null) return;
      this.#sent += 1;
      socket.send(frameWith(`beat${this.#sent};`), port, '127.0.0.1');
    }, BEAT_MS);
  }

  /** `to` gives the UDP port to send to; null: not now. */
  static async open(to: () => number | null): Promise<Beat> {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return new Beat(socket, to);
  }

  get port(): number {
    return this.#socket.address().port;
  }

  get sent(): number {
    return this.#sent;
  }

  /** Resolves with the next frame that comes back and was sent after the call. */
  async back(): Promise<void> {
    const after = this.#sent;
    while (![...this.#back].some((number) => number > after))
      await new Promise<void>((heard) => this.#heard.push(heard));
  }

  /** From here on frames are missed again. */
  forgive(): void {
    this.#pausedAt = this.#sent;
  }

  /** Numbers of frames that have not come back, but for those that are on their way still. */
  missing(): number[] {
    const last = Math.max(0, ...this.#back);
    const missing: number[] = [];
    for (let number = this.#pausedAt + 1; number < last; number += 1) if (!this.#back.has(number)) missing.push(number);
    return missing;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#socket.close();
  }
}

/** A ping typed into a console that stays connected. */
export class EndlessPing {
  readonly #socket;
  #seen = '';
  #replies = 0;
  #closed = false;
  readonly problems: string[] = [];
  #heard: (() => void)[] = [];

  private constructor(port: number, command: string) {
    this.#socket = connect({ host: '127.0.0.1', port });
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => {
      if (!this.#closed) this.problems.push(`the console was closed after ${this.#replies} replies`);
    });
    this.#socket.on('data', (chunk: Buffer) => this.#take(chunk.toString('latin1')));
    this.#socket.write(`${command}\r`);
  }

  static async begin(port: number, to: string): Promise<EndlessPing> {
    const ping = new EndlessPing(port, `ping ${to} -t -i ${BEAT_MS} -w 10000`);
    await ping.more();
    return ping;
  }

  #take(text: string): void {
    const lines = (this.#seen + text).split('\n');
    this.#seen = lines.pop() ?? '';
    for (const line of lines) {
      const number = /bytes from \S+ icmp_seq=(\d+)/.exec(line)?.[1];
      if (number === undefined) {
        if (/timeout|unreachable/i.test(line)) this.problems.push(`the ping says: ${line.trim()}`);
        continue;
      }
      this.#replies += 1;
      if (Number(number) !== this.#replies) {
        this.problems.push(`reply ${number} came in place of reply ${this.#replies}`);
        this.#replies = Number(number);
      }
    }
    for (const heard of this.#heard.splice(0)) heard();
  }

  get replies(): number {
    return this.#replies;
  }

  /** Resolves with the next reply. */
  async more(): Promise<void> {
    const before = this.#replies;
    while (this.#replies === before && this.problems.length === 0)
      await new Promise<void>((heard) => this.#heard.push(heard));
  }

  close(): void {
    this.#closed = true;
    this.#socket.destroy();
  }
}
