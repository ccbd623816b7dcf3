import { createStore } from '../../store/store.ts';

/** The recording that somebody has asked to be played, until its panel begins with it. */
export const toPlay = createStore<string | null>(null);

const keyFor = (nodeId: string, name: string): string => `${nodeId} ${name}`;

export const playNext = (nodeId: string, name: string): void => toPlay.set(keyFor(nodeId, name));

/** Whether it is this one; asked once. */
export const isNext = (nodeId: string, name: string): boolean => {
  const isIt = toPlay.get() === keyFor(nodeId, name);
  if (isIt) toPlay.set(null);
  return isIt;
};
