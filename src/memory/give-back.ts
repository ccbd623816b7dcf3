import { collectGarbage } from './collector.ts';
import { trimWhenGrown } from './grown.ts';
import { collectWhenQuiet, type OnDone } from './quiet.ts';
import { loadTrim } from './trim.ts';

/** Memory that nothing is on goes back to the system, also while there is much to do. Answers how to stop. */
export const giveMemoryBack = async (onDone: OnDone): Promise<() => void> => {
  const trim = await loadTrim();
  const stops = [
    collectWhenQuiet(onDone, () => void collectGarbage().then(() => trim?.())),
    trim === null ? () => undefined : trimWhenGrown(trim),
  ];
  return () => stops.forEach((stop) => stop());
};
