import { setImmediate as turn } from 'node:timers/promises';
import type { Secrets } from '../../src/common/secrets.ts';

/** Secrets of a cell, in memory. Each call takes its time, as another machine's does. */
export const memorySecrets = (kept = new Map<string, string>()): Secrets => ({
  async get(name) {
    await turn();
    return kept.get(name) ?? null;
  },
  async keep(name, text) {
    await turn();
    if (!kept.has(name)) kept.set(name, text);
    return kept.get(name) ?? text;
  },
  async put(name, text) {
    await turn();
    kept.set(name, text);
  },
  async list(folder) {
    await turn();
    return [...kept.keys()].filter((name) => name.startsWith(`${folder}/`));
  },
  async remove(name) {
    await turn();
    kept.delete(name);
  },
});
