import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { Transform, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { makeDirectory, syncPath } from '../../common/durable.ts';
import { messageOf, TopologError } from '../../common/errors.ts';
import { type Plumbing, type PortId, portKey } from '../../fabric/client/plumbing.ts';
import type { Place } from '../computes.ts';

/** A port at another compute. */
export interface FarPort {
  place: Place;
  /** Of the port, below `/v2/compute`. */
  path: string;
  port: PortId;
}

type CaptureFile = Parameters<Plumbing['startCapture']>[1];

/** Octets of the header of a pcap file (libpcap's savefile format). */
const HEADER = 24;
/** Longest wait for what is still on its way after a stop. Milliseconds. */
const REST_MS = 5_000;

interface Running {
  abort: AbortController;
  done: Promise<void>;
}

/** Captures at other computes: the compute writes, and its file comes here as it grows. */
export class FarCaptures {
  readonly #running = new Map<string, Running>();
  readonly #failed: (port: PortId, message: string) => void;

  /** `failed`: one that was on is over. */
  constructor(failed: (port: PortId, message: string) => void) {
    this.#failed = failed;
  }

  /** `append`: it was on before this server or the compute was away. */
  async start(at: FarPort, file: CaptureFile, append: boolean): Promise<void> {
    const { client } = at.place.compute;
    const body = { capture_file_name: path.basename(file.path), data_link_type: file.data_link_type };
    const wasOn = await client.request('POST', `${at.path}/start_capture`, { body }).then(
      () => false,
      (error: unknown) => {
        if (append && error instanceof TopologError && error.code === 'conflict') return true;
        throw error;
      },
    );
    await makeDirectory(path.dirname(file.path));
    this.#running.get(portKey(at.port))?.abort.abort();
    const abort = new AbortController();
    // A compute that went on has all of it from the beginning; another has only what comes from now on.
    const goesOn = append && !wasOn;
    const opened = await client.download(`${at.path}/pcap`, abort.signal);
    const sink = createWriteStream(file.path, { flags: goesOn ? 'a' : 'w' });
    const copied = goesOn ? pipeline(opened, new WithoutHeader(), sink) : pipeline(opened, sink);
    const done = copied.catch((error: unknown) => {
      if (!abort.signal.aborted && at.place.compute.isConnected) this.#failed(at.port, messageOf(error));
    });
    this.#running.set(portKey(at.port), { abort, done });
  }

  /** Resolves once all of it is in the file. */
  async stop(at: FarPort, file: string | undefined): Promise<void> {
    const key = portKey(at.port);
    const running = this.#running.get(key);
    this.#running.delete(key);
    try {
      await at.place.compute.client.request('POST', `${at.path}/stop_capture`).catch(unlessGone);
      await Promise.race([running?.done, new Promise((resolve) => setTimeout(resolve, REST_MS).unref())]);
    } finally {
      running?.abort.abort();
    }
    if (file !== undefined) await syncPath(file).catch(() => undefined);
  }

  close(): void {
    for (const { abort } of this.#running.values()) abort.abort();
    this.#running.clear();
  }
}

/** A pcap file without its header, for the end of another. */
class WithoutHeader extends Transform {
  #left = HEADER;

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    const cut = Math.min(this.#left, chunk.length);
    this.#left -= cut;
    done(null, chunk.subarray(cut));
  }
}

const unlessGone = (error: unknown): void => {
  if (!(error instanceof TopologError && error.code === 'not_found')) throw error;
};
