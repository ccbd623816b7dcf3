/**
 * The server's side of telnet, without sockets: splits what a client sends into data and commands.
 * RFC 854 (protocol), 855 (options), 857 (echo), 858 (suppress go-ahead), 1143 (negotiation without loops).
 * Window size (RFC 1073) and terminal type (RFC 1091) are refused when offered: no node here has a use for them.
 */
const SE = 240;
const BREAK = 243;
const INTERRUPT = 244;
const ARE_YOU_THERE = 246;
const ERASE_CHARACTER = 247;
const ERASE_LINE = 248;
const SB = 250;
const WILL = 251;
const WONT = 252;
const DO = 253;
const DONT = 254;
const IAC = 255;

const OPTION_ECHO = 1;
const OPTION_SUPPRESS_GO_AHEAD = 3;

const CR = 0x0d;
const LF = 0x0a;

/** First bytes of the server: it echoes, and neither side sends go-aheads, so clients send each key as it is typed. */
export const TELNET_GREETING: Uint8Array = Uint8Array.of(
  IAC,
  WILL,
  OPTION_ECHO,
  IAC,
  WILL,
  OPTION_SUPPRESS_GO_AHEAD,
  IAC,
  DO,
  OPTION_SUPPRESS_GO_AHEAD,
);

const ANSWER_ARE_YOU_THERE = Array.from('\r\n[Yes]\r\n', (c) => c.charCodeAt(0));

/** Keys that telnet commands stand for: Ctrl-C, backspace, Ctrl-U (clears the line). */
const KEY_OF_COMMAND = new Map([
  [INTERRUPT, 0x03],
  [ERASE_CHARACTER, 0x08],
  [ERASE_LINE, 0x15],
]);

type Phase = 'data' | 'command' | 'option' | 'subnegotiation' | 'subnegotiation_command';
/** `proposed`: we proposed it and wait for the answer. */
type OptionState = 'no' | 'yes' | 'proposed';

interface TelnetInput {
  /** Input, with CR for CR LF and CR NUL. */
  data: Uint8Array;
  /** To be sent back at once; empty most of the time. */
  reply: Uint8Array;
}

/** One client's parser. It keeps its place between calls, so a command may be split anywhere. */
export class TelnetParser {
  #phase: Phase = 'data';
  #verb = 0;
  #afterCr = false;
  #echo: OptionState = 'proposed';
  #ourGoAhead: OptionState = 'proposed';
  #theirGoAhead: OptionState = 'proposed';

  push(bytes: Uint8Array): TelnetInput {
    const data: number[] = [];
    const reply: number[] = [];
    for (const byte of bytes) this.#step(byte, data, reply);
    return { data: Uint8Array.from(data), reply: Uint8Array.from(reply) };
  }

  #step(byte: number, data: number[], reply: number[]): void {
    switch (this.#phase) {
      case 'data':
        if (byte === IAC) this.#phase = 'command';
        else this.#data(byte, data);
        return;
      case 'command':
        this.#command(byte, data, reply);
        return;
      case 'option':
        this.#phase = 'data';
        this.#negotiate(byte, reply);
        return;
      // No option with parameters is ever agreed on, so their bytes are skipped and never kept: nothing to bound.
      case 'subnegotiation':
        if (byte === IAC) this.#phase = 'subnegotiation_command';
        return;
      case 'subnegotiation_command':
        this.#afterSubnegotiationIac(byte, data, reply);
        return;
    }
  }

  #data(byte: number, data: number[]): void {
    const second = this.#afterCr && (byte === LF || byte === 0);
    this.#afterCr = byte === CR;
    if (!second) data.push(byte);
  }

  #command(byte: number, data: number[], reply: number[]): void {
    this.#phase = 'data';
    if (byte === IAC) this.#data(IAC, data);
    else if (byte === SB) this.#phase = 'subnegotiation';
    else if (byte >= WILL && byte <= DONT) {
      this.#phase = 'option';
      this.#verb = byte;
    } else if (byte === ARE_YOU_THERE) for (const b of ANSWER_ARE_YOU_THERE) reply.push(b);
    else if (byte !== BREAK) {
      const key = KEY_OF_COMMAND.get(byte);
      if (key !== undefined) this.#data(key, data);
    }
  }

  #afterSubnegotiationIac(byte: number, data: number[], reply: number[]): void {
    // A doubled IAC is a parameter byte. Anything but SE ends the subnegotiation too: its sender forgot the SE.
    if (byte === IAC) this.#phase = 'subnegotiation';
    else if (byte === SE) this.#phase = 'data';
    else this.#command(byte, data, reply);
  }

  #negotiate(option: number, reply: number[]): void {
    if (this.#verb === DO || this.#verb === DONT) this.#ours(option, this.#verb === DO, reply);
    else this.#theirs(option, this.#verb === WILL, reply);
  }

  /** The client wants (DO) or forbids (DONT) an option on our side. Agreeing with what is already so sends nothing. */
  #ours(option: number, wanted: boolean, reply: number[]): void {
    if (option !== OPTION_ECHO && option !== OPTION_SUPPRESS_GO_AHEAD) {
      if (wanted) reply.push(IAC, WONT, option);
      return;
    }
    const before = option === OPTION_ECHO ? this.#echo : this.#ourGoAhead;
    if (option === OPTION_ECHO) this.#echo = wanted ? 'yes' : 'no';
    else this.#ourGoAhead = wanted ? 'yes' : 'no';
    if (wanted && before === 'no') reply.push(IAC, WILL, option);
    if (!wanted && before === 'yes') reply.push(IAC, WONT, option);
  }

  /** The client offers (WILL) or ends (WONT) an option on its side. */
  #theirs(option: number, offered: boolean, reply: number[]): void {
    if (option !== OPTION_SUPPRESS_GO_AHEAD) {
      if (offered) reply.push(IAC, DONT, option);
      return;
    }
    const before = this.#theirGoAhead;
    this.#theirGoAhead = offered ? 'yes' : 'no';
    if (offered && before === 'no') reply.push(IAC, DO, option);
    if (!offered && before === 'yes') reply.push(IAC, DONT, option);
  }
}

/**
 * Output as it goes to a telnet client: every 0xFF doubled. A lone CR stays alone, against RFC 854's CR NUL: scripts that
 * read the port as a plain socket would find the NUL in their text, and telnet clients take the lone CR as it is meant.
 */
export function escapeTelnet(bytes: Uint8Array): Uint8Array {
  let extra = 0;
  for (const byte of bytes) if (byte === IAC) extra += 1;
  if (extra === 0) return bytes;
  const escaped = new Uint8Array(bytes.length + extra);
  let at = 0;
  for (const byte of bytes) {
    escaped[at++] = byte;
    if (byte === IAC) escaped[at++] = IAC;
  }
  return escaped;
}

/**
 * For the client's side: takes the commands out of what a telnet server sends, and answers none of them: a server may not wait
 * for an answer (RFC 854). Line ends stay as they are. It keeps its place between calls.
 */
export function createTelnetStripper(): (bytes: Uint8Array) => Uint8Array {
  let phase: Phase = 'data';
  return (bytes) => {
    const data: number[] = [];
    for (const byte of bytes) {
      if (phase === 'data' && byte !== IAC) data.push(byte);
      else if (phase === 'command' && byte === IAC) data.push(IAC);
      phase = phaseAfter(phase, byte);
    }
    return Uint8Array.from(data);
  };
}

function phaseAfter(phase: Phase, byte: number): Phase {
  switch (phase) {
    case 'data':
      return byte === IAC ? 'command' : 'data';
    case 'command':
      if (byte === SB) return 'subnegotiation';
      return byte >= WILL && byte <= DONT ? 'option' : 'data';
    case 'option':
      return 'data';
    case 'subnegotiation':
      return byte === IAC ? 'subnegotiation_command' : 'subnegotiation';
    case 'subnegotiation_command':
      return byte === SE ? 'data' : 'subnegotiation';
  }
}
