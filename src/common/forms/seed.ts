/** Seeds of the sequences that decide at random: whole numbers of 32 bits. */
export const LARGEST_SEED = 0xffff_ffff;

/** FNV-1a of a text: the same text is the same seed on every machine. */
export const seedOf = (text: string): number => {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
};
