// Does again what a recording has, by more students and faster, and everything beside it that leaves no event.
import { setTimeout as sleep } from 'node:timers/promises';

const HOUR = 3600;

/** Rates of one student of a recording, an hour; reads and commands, which it does not have, come as often for each change as in `school`. */
export const ratesOf = ({ length_ms, students, changes }, school) => {
  const studentHours = (students * length_ms) / 1000 / HOUR;
  const count = (...whats) => changes.filter(({ what }) => whats.includes(what)).length;
  const rates = {
    changes: count('move', 'draw', 'filter') / studentHours,
    restarts: count('stop', 'start') / 2 / studentHours,
  };
  const busier = (rates.changes + rates.restarts) / (school.changes + school.restarts);
  return { ...rates, reads: school.reads * busier, commands: school.commands * busier };
};

/**
 * A recording again and again for so many seconds, so many times as fast. `labs`: each does what one student of the recording does, a
 * class that has another place in it than the others.
 */
export const replay = async (recording, { labs, seconds, faster, rates }) => {
  const { length_ms, students, changes } = recording;
  const perChange = (rate) => rate / (rates.changes + 2 * rates.restarts);
  const [reads, commands] = [perChange(rates.reads), perChange(rates.commands)];
  const problems = [];
  const settled = [];
  const tell = (promise) => settled.push(promise.catch((error) => problems.push(error.message)));
  const owed = { reads: 0, commands: 0 };
  const act = (lab, { what, nth }) => {
    tell(lab.do(what, nth));
    for (owed.reads += reads; owed.reads >= 1; owed.reads--) tell(lab.read());
    for (owed.commands += commands; owed.commands >= 1; owed.commands--) lab.command();
  };
  const classes = Math.ceil(labs.length / students);
  const replayed = Array.from({ length: classes }, (_, n) =>
    changes.map((one) => shifted(one, { n, classes, length_ms })),
  )
    .flat()
    .sort((a, b) => a.at - b.at)
    .filter(({ n, student }) => n * students + student < labs.length);
  if (replayed.length === 0) throw new Error('the recording has no changes');
  const begin = performance.now();
  for (let turn = 0; ; turn++)
    for (const one of replayed) {
      const due = (turn * length_ms + one.at) / faster;
      if (due > seconds * 1000) {
        await Promise.all(settled);
        return { problems, seconds: (performance.now() - begin) / 1000 };
      }
      const wait = begin + due - performance.now();
      if (wait > 1) await sleep(wait);
      act(labs[one.n * students + one.student], one);
    }
};

/** Classes begin at different moments of the recording, and go round. */
const shifted = (one, { n, classes, length_ms }) => ({
  ...one,
  n,
  at: (one.at + (n * length_ms) / classes) % length_ms,
});
