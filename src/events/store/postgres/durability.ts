import type { Durability } from '../../cell.ts';
import type { Statement } from './session.ts';

/** As the database has them now. */
export interface Settings {
  fsync: string;
  full_page_writes: string;
  synchronous_commit: string;
  synchronous_standby_names: string;
}

/** Reads them, and what commits that have begun so many milliseconds ago wait for; asked for on a connection that commits nothing. */
export const settingsStatement = (waitedMs: number): Statement => ({
  name: 'settings',
  text: `SELECT current_setting('fsync'), current_setting('full_page_writes'), current_setting('synchronous_commit'),
      current_setting('synchronous_standby_names'),
      (SELECT string_agg(application_name, ', ') FROM pg_stat_replication),
      EXISTS (SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query_start < clock_timestamp() - $1 * interval '1 ms')`,
  values: [waitedMs],
});

/** What it has answered, in words. */
export const durabilityIn = ([row = []]: readonly unknown[][]): Durability => {
  const [fsync, full_page_writes, synchronous_commit, synchronous_standby_names, connected, isWaiting] = row as [
    ...[string, string, string, string],
    ...[string | null, boolean],
  ];
  const told = durabilityOf({ fsync, full_page_writes, synchronous_commit, synchronous_standby_names });
  if (!isWaiting) return told;
  const names = `synchronous_standby_names = ${synchronous_standby_names}; connected: ${connected ?? 'none'}`;
  return { ...told, waits: `the database waits for its standby (${names})` };
};

/** How many standbys a commit waits for: `FIRST 2 (a, b)`, `ANY 1 (*)`, `2 (a, b)`, or the first of a list. */
export const standbysWaitedFor = (names: string): number => {
  if (names.trim() === '') return 0;
  return Number(/^\s*(?:(?:FIRST|ANY)\s+)?(\d+)\s*\(/i.exec(names)?.[1] ?? 1);
};

const others = (count: number): string => `${count} other${count === 1 ? '' : 's'}`;

/** What an answered write has survived under these settings. */
export const durabilityOf = (settings: Settings): Durability => {
  const rest = { losses: lossesOf(settings), waits: null };
  const standbys = standbysWaitedFor(settings.synchronous_standby_names);
  const own = Number(settings.fsync !== 'off' && settings.synchronous_commit !== 'off');
  switch (settings.synchronous_commit) {
    case 'off':
      return { disks: 0, words: 'no disk yet', ...rest };
    case 'local':
      return { disks: own, words: wordsOf(own, 0), ...rest };
    case 'remote_write': {
      const memory = standbys === 0 ? '' : `, and the memory of ${others(standbys)}`;
      return { disks: own, words: `${wordsOf(own, 0)}${memory}`, ...rest };
    }
    default:
      return { disks: own + standbys, words: wordsOf(own, standbys), ...rest };
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
