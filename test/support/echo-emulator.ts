#!/usr/bin/env node
/**
 * Stands in for an emulator: sends every datagram back, and writes a line to its counter file once per 20 ms: its pid and how
 * often it has counted. `--child` starts a process of its own, `--stubborn` takes no SIGTERM.
 */
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { openSync, writeSync } from 'node:fs';
import { parseArgs } from 'node:util';

const TICK_MS = 20;
/** Longer than any test: one that was interrupted leaves its emulators running, and nobody else would end them. */
const LIFETIME_MS = 15 * 60_000;
const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const { values } = parseArgs({
  options: { listen: text, to: text, counter: text, boot: text, child: flag, stubborn: flag },
});

setTimeout(() => process.exit(2), LIFETIME_MS);

const count = (file: string): void => {
  const descriptor = openSync(file, 'w');
  let ticks = 0;
  const tick = (): void => {
    ticks += 1;
    // Of one length: a longer line could be read before its end is there.
    writeSync(descriptor, `${process.pid} ${String(ticks).padStart(10, '0')}\n`, 0);
  };
  tick();
  setInterval(tick, TICK_MS);
};

const echo = (): void => {
  const socket = createSocket('udp4');
  socket.on('message', (frame) => socket.send(frame, Number(values.to), '127.0.0.1'));
  socket.on('error', (error) => {
    console.error(`echo: ${error.message}`);
    process.exit(1);
  });
  socket.bind(Number(values.listen), '127.0.0.1', () => {
    console.log(`echoes at ${values.listen ?? ''}`);
    if (values.counter !== undefined) count(values.counter);
  });
};

if (values.stubborn === true) process.on('SIGTERM', () => console.log('no'));
if (values.child === true)
  spawn(process.execPath, [process.argv[1] ?? '', '--listen', '0'], { stdio: 'inherit', detached: true });
if (values.listen !== '0') setTimeout(echo, Number(values.boot ?? 0));
