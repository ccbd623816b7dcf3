import type { Durability } from '../../cell.ts';

/** As the database has them now. */
export interface Settings {
  fsync: string;
  full_page_writes: string;
  synchronous_commit: string;
  synchronous_standby_names: string;
}

export const SETTING_NAMES = [
  'fsync',
  'full_page_writes',
  'synchronous_commit',
  'synchronous_standby_names',
] as const satisfies (keyof Settings)[];

/** How many standbys a commit waits for: `FIRST 2 (a, b)`, `ANY 1 (*)`, `2 (a, b)`, or the first of a list. */
export const standbysWaitedFor = (names: string): number => {
  if (names.trim() === '') return 0;
  return Number(/^\s*(?:(?:FIRST|ANY)\s+)?(\d+)\s*\(/i.exec(names)?.[1] ?? 1);
};

const others = (count: number): string => `${count} other${count === 1 ? '' : 's'}`;

/** What an answered write has survived under these settings. */
export const durabilityOf = (settings: Settings): Durability => {
  const losses = lossesOf(settings);
  const standbys = standbysWaitedFor(settings.synchronous_standby_names);
  const own = Number(settings.fsync !== 'off' && settings.synchronous_commit !== 'off');
  switch (settings.synchronous_commit) {
    case 'off':
      return { disks: 0, words: 'no disk yet', losses };
    case 'local':
      return { disks: own, words: wordsOf(own, 0), losses };
    case 'remote_write': {
      const memory = standbys === 0 ? '' : `, and the memory of ${others(standbys)}`;
      return { disks: own, words: `${wordsOf(own, 0)}${memory}`, losses };
    }
    default:
      return { disks: own + standbys, words: wordsOf(own, standbys), losses };
  }
};

const wordsOf = (own: number, standbys: number): string => {
  if (own === 0) return standbys === 0 ? 'no disk for certain' : `the disks of ${others(standbys)}`;
  return standbys === 0 ? "the database's disk" : `the database's disk and ${others(standbys)}`;
};

const lossesOf = ({ fsync, full_page_writes, synchronous_commit }: Settings): string[] => [
  ...(fsync === 'off' ? ['fsync is off: a power cut can take what was answered, and the database with it'] : []),
  ...(full_page_writes === 'off'
    ? ['full_page_writes is off: a power cut in the middle of a write can damage what was answered']
    : []),
  ...(synchronous_commit === 'off'
    ? ['synchronous_commit is off: a crash of the database takes what was answered last']
    : []),
];
