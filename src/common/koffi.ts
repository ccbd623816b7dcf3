import type koffi from 'koffi';

export type Koffi = typeof koffi;

/** The library that calls C from here. Rejects where it is not installed, or its binary does not run. */
export const importKoffi = async (): Promise<Koffi> => (await import('koffi')).default;
