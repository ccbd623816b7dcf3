import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EngineContext, EngineFactory } from '../../src/emulators/kit/contract.ts';
import { DYNAMIPS } from '../../src/emulators/router_emulator/dynamips-engine.ts';
import type { Console } from '../support/console.ts';

const PROGRAM = fileURLToPath(new URL('./dynamips.js', import.meta.url));

/** Puts the stand-in of dynamips in front of the PATH; call what it returns to take it away again. */
export const installFakeDynamips = (directory: string): (() => void) => {
  const before = process.env['PATH'];
  const bin = path.join(directory, 'bin');
  mkdirSync(bin, { recursive: true });
  const line = `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`;
  writeFileSync(path.join(bin, 'dynamips'), line, { mode: 0o755 });
  process.env['PATH'] = `${bin}${path.delimiter}${before ?? ''}`;
  return () => {
    if (before === undefined) delete process.env['PATH'];
    else process.env['PATH'] = before;
  };
};

/** The head of a router's image: ELF, 32 bits, big-endian, version 1, without sections. */
const IMAGE = Buffer.alloc(52, '7f454c460102010000000000000000000002000800000001'.padEnd(104, '0'), 'hex');

/** Puts an image into a data directory. */
export const putImage = (dataDir: string, name: string, content: Uint8Array = IMAGE): string => {
  const folder = path.join(dataDir, 'images', 'IOS');
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, name);
  writeFileSync(file, content);
  return file;
};

/** The engine, in a data directory that has the image. */
export const withImage = (name: string, content?: Uint8Array): EngineFactory => ({
  name: DYNAMIPS.name,
  create(context: EngineContext) {
    putImage(context.filesDir, name, content);
    return DYNAMIPS.create(context);
  },
});

/** Presses Enter until the prompt is there: after a reload what is typed is lost until the fabric has connected again. */
export const wakeUp = (console: Console, prompt: RegExp): Promise<void> =>
  new Promise((resolve, reject) => {
    const press = (): void => {
      void console
        .type('', prompt)
        .then(() => resolve(), reject)
        .finally(() => clearInterval(timer));
    };
    const timer = setInterval(press, 200);
    press();
  });
