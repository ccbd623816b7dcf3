import { t, told, toldTitle } from '../../words/words.ts';
import type { Say } from './sentence.ts';
import { brief, isText, subjectIn } from './subject.ts';

/** A sentence without whether it is so. */
const plain = (sentence: string): string =>
  sentence.replace(/ does not reach /, ' reaches ').replace(/ is (?:started|stopped|suspended|\w+ing)$/, ' is');

/** What was found, as the server says it, behind the name of the check where that is not said by it: a name of one word is somebody's own. */
const found: (say: (words: { what: string }) => string) => Say = (say) => (entry) => {
  const text = isText(entry.data['text']) ? entry.data['text'] : '';
  const name = subjectIn(entry);
  return say({
    what:
      name.includes(' ') && plain(text).includes(plain(name))
        ? brief(told(text))
        : `${toldTitle(name)}: ${brief(told(text))}`,
  });
};

/** What checks say of a lab, and from when to when they look at it. */
export const CHECKS: Readonly<Record<string, Say>> = {
  'run.begun': () => t('The lab runs: its checks are looked at from here'),
  'run.ended': () => t('The lab does not run any more: its checks rest'),
  'check.met': found((words) => t('Met: {what}', words)),
  'check.broken': found((words) => t('Broken: {what}', words)),
};
