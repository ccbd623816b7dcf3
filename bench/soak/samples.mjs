// What server and fabric hold, taken from /proc, and whether it grows.
import { readdir, readFile } from 'node:fs/promises';

const MIB = 2 ** 20;

/** Private memory (files mapped for reading, as LevelDB's are, can be dropped at any time) in MiB, and open handles. */
export const sample = async (pid) => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return {
    memory: Number(/RssAnon:\s+(\d+) kB/.exec(status)[1]) / 1024,
    handles: (await readdir(`/proc/${pid}/fd`)).length,
  };
};

/** The lines of the probe, in MiB. */
export const probed = async (file) =>
  (await readFile(file, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map(({ heapUsed, heapTotal, external, resources }) => ({
      heap: heapUsed / MIB,
      'heap taken from the system': heapTotal / MIB,
      buffers: external / MIB,
      resources,
    }));

/** Least-squares slope of the second half of the values, as growth over that half, beside their mean. */
export const growth = (values) => {
  const half = values.slice(Math.floor(values.length / 2));
  const n = half.length;
  const mean = half.reduce((sum, v) => sum + v, 0) / n;
  const middle = (n - 1) / 2;
  let above = 0;
  let below = 0;
  half.forEach((v, i) => {
    above += (i - middle) * (v - mean);
    below += (i - middle) ** 2;
  });
  return { mean, grown: below === 0 ? 0 : (above / below) * (n - 1) };
};

/** The bounds: memory may look 10 % of its mean larger at the end of the second half than at its beginning, or 16 MiB; handles 10. */
export const isFlat = (what, { mean, grown }) =>
  what === 'handles' || what === 'resources' ? grown <= 10 : grown <= Math.max(mean / 10, 16);
