import { importKoffi } from '../common/koffi.ts';

/**
 * malloc_trim(3): gives the system the pages of the C library's heaps on which nothing is left. Reads of the log are allocated by one
 * thread and freed by another, and glibc by itself gives back only what lies at a heap's end: a server that exports sessions kept 40 MiB
 * for nothing. null where there is no koffi, or another C library.
 */
export const loadTrim = async (): Promise<(() => void) | null> => {
  try {
    const trim = (await importKoffi()).load(null).func('int malloc_trim(size_t)') as (padding: number) => number;
    return () => void trim(0);
  } catch {
    return null;
  }
};
