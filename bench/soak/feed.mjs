// A listener of a project's feed over HTTP that keeps what it has heard as one hash, so that a hundred of them can be compared.
import { createHash } from 'node:crypto';
import { get } from 'node:http';

const LF = 0x0a;

/**
 * `kind`: `steady` reads at once; `slow` pauses for seconds at a time; `coming` hangs up and goes on with `?since=` where it was.
 * `onFrame(text, position)` hears each frame once it is whole.
 */
export class Feed {
  frames = 0;
  reconnects = 0;
  /** What went wrong, in words. */
  problems = [];
  #url;
  #kind;
  #onFrame;
  #hash = createHash('sha256');
  #last = null;
  #request = null;
  #timer = null;
  #ended = false;
  #ready;
  ready = new Promise((resolve) => (this.#ready = resolve));

  constructor(url, kind, onFrame = () => undefined) {
    this.#url = url;
    this.#kind = kind;
    this.#onFrame = onFrame;
    this.#connect();
  }

  digest() {
    return this.#hash.copy().digest('hex');
  }

  end() {
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#request?.destroy();
  }

  #connect() {
    const since = this.#last === null ? '' : `?since=${this.#last}`;
    let rest = Buffer.alloc(0);
    const request = get(`${this.#url}${since}`, { agent: false }, (answer) => {
      if (answer.statusCode !== 200) this.problems.push(`the feed answers ${answer.statusCode}`);
      this.#plan(answer);
      answer.on('data', (chunk) => {
        // What is still on its way when the line was cut is asked for again.
        if (request !== this.#request) return;
        rest = this.#lines(rest.length === 0 ? chunk : Buffer.concat([rest, chunk]));
      });
      answer.on('error', () => undefined);
      answer.on('close', () => {
        if (request === this.#request) this.#again();
      });
    });
    request.on('error', () => {
      if (request === this.#request) this.#again();
    });
    this.#request = request;
  }

  #again() {
    clearTimeout(this.#timer);
    if (this.#ended) return;
    this.#request = null;
    this.reconnects++;
    this.#timer = setTimeout(() => this.#connect(), 200);
  }

  #plan(answer) {
    clearTimeout(this.#timer);
    const wait = (least, most) => least + Math.random() * (most - least);
    if (this.#kind === 'slow')
      this.#timer = setTimeout(
        () => {
          answer.pause();
          this.#timer = setTimeout(
            () => {
              answer.resume();
              this.#plan(answer);
            },
            wait(1000, 5000),
          );
        },
        wait(500, 5000),
      );
    if (this.#kind === 'coming')
      this.#timer = setTimeout(
        () => {
          this.#request?.destroy();
        },
        wait(3000, 20_000),
      );
  }

  #lines(bytes) {
    let from = 0;
    for (let end = bytes.indexOf(LF); end !== -1; end = bytes.indexOf(LF, from)) {
      this.#line(bytes.toString('utf8', from, end));
      from = end + 1;
    }
    return bytes.subarray(from);
  }

  #line(text) {
    if (text.startsWith('{"action":"ping"')) return this.#ready();
    const frame = /"position":(\d+)(?:,"more":(\d+))?}$/.exec(text);
    if (frame === null || text.startsWith('{"action":"reload"')) {
      this.problems.push(`it heard ${text.slice(0, 200)}`);
      return;
    }
    const position = Number(frame[1]);
    if (this.#last !== null && position < Number.parseInt(this.#last))
      this.problems.push(`position ${position} came after ${this.#last}`);
    this.#last = frame[2] === undefined ? frame[1] : `${frame[1]}.${frame[2]}`;
    this.#hash.update(text);
    this.frames++;
    this.#onFrame(text, position);
  }
}
