import { world } from '../world.ts';

/** Stands in for `node:crypto` in the product's modules: what is random comes from the seed. */
export * from 'node:crypto';

export const randomUUID = (): string => world().random.uuid();

export const randomBytes = (size: number): Buffer =>
  Buffer.from(Array.from({ length: size }, () => world().random.below(256)));
