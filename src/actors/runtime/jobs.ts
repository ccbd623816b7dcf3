import { Emitter } from '../../common/emitter.ts';

/** How far something is that takes long. Not an event: it is told while it lasts. */
export interface JobProgress {
  /** Of the project that is written, or read from. */
  project_id: string;
  what: 'import' | 'export' | 'duplicate' | 'upload';
  /** Octets. */
  done: number;
  of: number;
  /** Seconds, as it has gone so far; null: nothing can be said yet. */
  left: number | null;
  /** Nothing follows; also of one that has failed. */
  ended: boolean;
}

/** Somebody who does such work says how far it is. */
export interface Job {
  readonly add: (octets: number) => void;
  readonly end: () => void;
}

/** What is done sooner is not worth telling. Milliseconds. */
const FIRST_MS = 300;
const EVERY_MS = 200;

/** What takes long at the moment, for those who want to know. */
export class Jobs {
  readonly #events = new Emitter<{ progress: [JobProgress] }>();
  readonly onProgress = this.#events.subscriber('progress');
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** `of`: octets. */
  begin(project_id: string, what: JobProgress['what'], of: number): Job {
    const begun = this.#now();
    let told = begun + FIRST_MS - EVERY_MS;
    let isTold = false;
    let done = 0;
    let ended = false;
    const tell = (): void => {
      isTold = true;
      const took = (this.#now() - begun) / 1000;
      const left = done === 0 ? null : Math.round((took / done) * Math.max(0, of - done) * 10) / 10;
      const progress = { project_id, what, done, of: Math.max(of, done), left: ended ? 0 : left, ended };
      this.#events.emit('progress', progress);
    };
    return {
      add: (octets) => {
        done += octets;
        const now = this.#now();
        if (ended || now - told < EVERY_MS) return;
        told = now;
        tell();
      },
      end: () => {
        if (ended) return;
        ended = true;
        if (isTold) tell();
      },
    };
  }
}
