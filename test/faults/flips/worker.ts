import { messageOf } from '../../../src/common/errors.ts';
import { kindsOfFiles, look, pickFlip, type Place, silentDifference } from './rounds.ts';

/** Does the rounds that its parent tells it: LevelDB can end a process for the octets that it reads. */
interface Told {
  place: Place;
  seed: number;
  round: number;
}

let whole: Promise<Map<string, string>> | null = null;

const perform = async ({ place, seed, round }: Told): Promise<void> => {
  whole ??= look(place, null).then(({ reads, said }) => {
    if (said.length > 0) throw new Error(`without a flip: ${said.join('; ')}`);
    return reads;
  });
  await whole;
  const flip = await pickFlip(place.base, await kindsOfFiles(place.base), seed, round);
  process.send?.({ flip });
  const found = await look(place, flip);
  process.send?.({ silent: silentDifference(await whole, found, flip), said: found.said });
};

process.on('message', (told: Told) => {
  perform(told).catch((error: unknown) => process.send?.({ failure: messageOf(error) }));
});
process.on('disconnect', () => process.exit(0));
