#!/usr/bin/env node
import { readSync, writeSync } from 'node:fs';
import { Decompress } from 'fzstd';
import bzip2 from 'unbzip2-stream';
import { BZIP2 } from './methods.ts';

/**
 * Decodes an entry of an archive from standard input to standard output; the argument is the method. A process of its
 * own, as libraries decode a block at once, and a few octets may become 50 MB. It writes synchronously, and so holds
 * no more than a block and a window.
 */

/** Octets read at a time: what they decode to is in memory at once. */
const SLICE = 512;
/**
 * Largest window in octets that the usual decoder accepts by default (RFC 8878, 3.1.1.1.2: at least 8 MiB are
 * recommended).
 */
const LARGEST_WINDOW = 128 * 1024 ** 2;
/** Maximum length of a frame header. */
const HEADER = 18;

const write = (bytes: Uint8Array): void => {
  for (let at = 0; at < bytes.length;) at += writeSync(1, bytes, at);
};

function* slices(): Generator<Buffer> {
  for (;;) {
    const slice = Buffer.alloc(SLICE);
    const octets = readSync(0, slice);
    if (octets === 0) return;
    yield slice.subarray(0, octets);
  }
}

const decodeBzip2 = (): void => {
  const decoder = bzip2();
  decoder.on('data', write).on('error', fail);
  for (const slice of slices()) decoder.write(slice);
  decoder.end();
};

const decodeZstandard = (): void => {
  const decoder = new Decompress(write);
  let head = Buffer.alloc(0);
  for (const slice of slices()) {
    if (head.length < HEADER) checkWindow((head = Buffer.concat([head, slice])));
    decoder.push(slice);
  }
  decoder.push(new Uint8Array(0), true);
};

/** Refuses a first frame with too large a window: RFC 8878, 3.1.1.1. */
const checkWindow = (head: Buffer): void => {
  const descriptor = head[4] ?? 0;
  const isSingle = (descriptor & 0x20) !== 0;
  if (head.length < HEADER || isSingle) return;
  const window = head[5] ?? 0;
  const base = 2 ** (10 + (window >> 3));
  if (base + (base / 8) * (window & 7) > LARGEST_WINDOW) throw new Error('its window is too large');
};

const fail = (error: unknown): never => {
  process.stderr.write(error instanceof Error ? error.message : String(error));
  process.exit(1);
};

try {
  if (process.argv[2] === String(BZIP2)) decodeBzip2();
  else decodeZstandard();
} catch (error) {
  fail(error);
}
