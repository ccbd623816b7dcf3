import type { CheckRecord } from '../../../common/forms/check.ts';
import type { Finding } from '../decide.ts';
import type { Eyes } from './eyes.ts';
import { patternProblem } from '../../../common/pattern.ts';
import { notRunning } from './state.ts';

/** Longest time that a console may go on showing something. Milliseconds. */
export const PATIENCE_MS = 10_000;
/** Characters of what it showed that are kept. */
const KEPT = 2_000;

export const shownOf = (text: string): { console: string; at: string } => ({
  console: text.slice(-KEPT),
  at: new Date().toISOString(),
});

export const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);

/** Somebody who types there is not disturbed: then nobody can say. */
export const lookAtConsole = async (eyes: Eyes, { console: wanted }: CheckRecord): Promise<Finding> => {
  if (wanted === undefined) throw new Error('the check is of another sort');
  const { node, type = null, shows, matches, not = false } = wanted;
  // It was recorded by a server that took any pattern.
  const refused = matches === undefined ? null : patternProblem(matches);
  if (refused !== null) return { holds: null, text: `it is not carried out: matches ${refused}`, evidence: {} };
  const problem = notRunning(eyes, node);
  if (problem !== null) return { holds: false, text: problem, evidence: {} };
  const until = matches ?? literally(shows ?? '');
  const answer = await eyes.questions.console({ node_id: node, type, until, timeout_ms: PATIENCE_MS });
  const name = eyes.context.committed.get('node', node)?.name ?? node;
  if (answer === null) return { holds: null, text: `the console of ${name} did not answer`, evidence: {} };
  if (answer.problem !== null) return { holds: null, text: `${name}: ${answer.problem}`, evidence: {} };
  const what = `${answer.isFound ? 'shows' : 'does not show'} ${shows ?? matches ?? ''}`;
  const asked = type === null ? '' : ` for ${type}`;
  return {
    holds: answer.isFound !== not,
    text: `the console of ${name} ${what}${asked}`,
    evidence: shownOf(answer.text),
  };
};
