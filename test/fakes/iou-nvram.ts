/** NVRAM as the fake image reads and writes it; written from the description of the format, apart from what the server does. */

const words = (bytes: Buffer): number[] =>
  Array.from({ length: bytes.length >> 1 }, (_, n) => bytes.readUInt16BE(2 * n));

/** In ones' complement. */
const add = (sum: number, word: number): number => (sum + word > 0xffff ? sum + word - 0xffff : sum + word);

/** The startup configuration; a text in brackets says what is wrong. */
export const startupIn = (nvram: Buffer | null): string => {
  if (nvram === null) return '[no nvram]';
  if (nvram.readUInt16BE(0) !== 0xabcd) return '[no startup-config]';
  const half = nvram.subarray(0, nvram.length / 2);
  if (words(half).reduce(add, 0) !== 0xffff) return '[bad checksum]';
  const [begin, end, length] = [8, 12, 16].map((at) => nvram.readUInt32BE(at));
  if (begin === undefined || end === undefined || length === undefined || end - begin !== length) return '[bad header]';
  const after = 36 + Math.ceil(length / 4) * 4;
  if (nvram.readUInt16BE(after) !== 0xfedc) return '[no private-config]';
  const secret = nvram.subarray(after + 16, after + 16 + nvram.readUInt32BE(after + 12)).toString();
  return `${nvram.subarray(36, 36 + length).toString()}[private ${secret}]`;
};

/** What an instance saves: a configuration of a whole number of words. */
export const savedNvram = (kilobytes: number, startup: string): Buffer => {
  if (startup.length % 4 !== 0) throw new Error('the fake only saves whole words');
  const nvram = Buffer.alloc(kilobytes * 1024);
  const text = Buffer.from(startup);
  nvram.set([0xab, 0xcd, 0, 1, 0, 0, 0x0f, 0x04]);
  nvram.writeUInt32BE(0x10000024, 8);
  nvram.writeUInt32BE(0x10000024 + text.length, 12);
  nvram.writeUInt32BE(text.length, 16);
  text.copy(nvram, 36);
  nvram.set([0xfe, 0xdc, 0, 1], 36 + text.length);
  const sum = words(nvram.subarray(0, nvram.length / 2)).reduce(add, 0);
  nvram.writeUInt16BE(0xffff - sum, 4);
  return nvram;
};
