import { readFile, statfs } from 'node:fs/promises';
import { availableParallelism, cpus, freemem, loadavg, totalmem } from 'node:os';

/** Load of this machine as the kernel tells it. Octets and whole percents. */
export const createStatistics = (dataDir: string) => {
  const cpuUsage = cpuMeter();
  return async () => {
    const memory = await readMemory();
    const disk = await statfs(dataDir).catch(() => null);
    const cores = availableParallelism();
    return {
      memory_total: memory.total,
      memory_free: memory.free,
      memory_used: memory.total - memory.free,
      swap_total: memory.swapTotal,
      swap_free: memory.swapFree,
      swap_used: memory.swapTotal - memory.swapFree,
      cpu_usage_percent: cpuUsage(),
      memory_usage_percent: percent(memory.total - memory.free, memory.total),
      swap_usage_percent: percent(memory.swapTotal - memory.swapFree, memory.swapTotal),
      // As df does: what only the superuser may use is neither used nor free.
      disk_usage_percent: disk === null ? 0 : percent(disk.blocks - disk.bfree, disk.blocks - disk.bfree + disk.bavail),
      // Zeros on Windows, which knows no load.
      load_average_percent: loadavg().map((load) => Math.round((load / cores) * 100)),
    };
  };
};

/** The two that change all the time, without waiting for a file: percents. */
export const createLoad = () => {
  const cpuUsage = cpuMeter();
  return () => ({
    cpu_usage_percent: cpuUsage(),
    memory_usage_percent: percent(totalmem() - freemem(), totalmem()),
  });
};

/** Memory that programs can have counts as free: Linux fills what nobody needs with copies of files. */
const readMemory = async () => {
  const text = await readFile('/proc/meminfo', 'latin1').catch(() => '');
  const of = (key: string): number | null => {
    const kibibytes = new RegExp(`^${key}:\\s+(\\d+) kB`, 'm').exec(text)?.[1];
    return kibibytes === undefined ? null : Number(kibibytes) * 1024;
  };
  return {
    total: of('MemTotal') ?? totalmem(),
    free: of('MemAvailable') ?? freemem(),
    swapTotal: of('SwapTotal') ?? 0,
    swapFree: of('SwapFree') ?? 0,
  };
};

/** Usage since it was last asked for; at first, since the machine started. */
const cpuMeter = (): (() => number) => {
  let before = { idle: 0, total: 0 };
  let last = 0;
  return () => {
    const now = cpuTimes();
    const total = now.total - before.total;
    // Two questions within one tick of the kernel's clock have nothing between them.
    if (total >= availableParallelism() * 10) {
      last = percent(total - (now.idle - before.idle), total);
      before = now;
    }
    return last;
  };
};

/** Milliseconds over all processors. */
const cpuTimes = (): { idle: number; total: number } => {
  const all = cpus().map(({ times }) => times);
  const sum = (of: (t: (typeof all)[number]) => number) => all.reduce((total, t) => total + of(t), 0);
  return { idle: sum((t) => t.idle), total: sum((t) => t.user + t.nice + t.sys + t.idle + t.irq) };
};

const percent = (part: number, whole: number): number =>
  whole > 0 ? Math.min(100, Math.max(0, Math.round((part / whole) * 100))) : 0;
