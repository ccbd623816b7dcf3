import { z } from 'zod';
import { LENGTHS, MOST_ITEMS } from '../bounds.ts';
import { writtenDuration } from './duration.ts';
import { part } from './property-text.ts';

const name = z.string().min(1).max(LENGTHS.name);
const time = writtenDuration;

/** A stage of a lab that somebody is taught or examined with: checks by their names, with the points that they have. */
export const stageForm = z.strictObject({
  name: part(name, 'Name', 'Of the stage.'),
  checks: part(z.array(name).min(1).max(MOST_ITEMS), 'Checks', 'Names of the checks that must have been met.'),
  deadline: part(time.exactOptional(), 'Deadline', 'Time from the start of the lab until which it counts.'),
  unlocks: part(z.array(name).max(MOST_ITEMS).exactOptional(), 'Unlocks', 'Stages that count once this one is passed.'),
});
export type StageForm = z.infer<typeof stageForm>;
