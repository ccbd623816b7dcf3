import { t } from '../../words/words.ts';
import type { Say } from './sentence.ts';
import { brief, subjectIn } from './subject.ts';

/** What was found, as the server says it. */
const found: (say: (words: { name: string; text: string }) => string) => Say = (say) => (entry) =>
  say({ name: subjectIn(entry), text: brief(entry.data['text'] ?? '') });

/** What checks say of a lab, and from when to when they look at it. */
export const CHECKS: Readonly<Record<string, Say>> = {
  'run.begun': () => t('The lab runs: its checks are looked at from here'),
  'run.ended': () => t('The lab does not run any more: its checks rest'),
  'check.met': found((words) => t('Met: {name}: {text}', words)),
  'check.broken': found((words) => t('Broken: {name}: {text}', words)),
};
