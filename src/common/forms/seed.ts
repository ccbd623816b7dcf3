/** Largest seed of random numbers: seeds are integers of 32 bits. */
export const LARGEST_SEED = 0xffff_ffff;

/** Seed from a text (FNV-1a), the same on every machine. */
export const seedOf = (text: string): number => {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
};
