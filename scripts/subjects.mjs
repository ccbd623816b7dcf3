// The subjects of commits, “area: imperative”: at most 72 characters, without a full stop. Those before SINCE are as they are.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const SINCE = '2026-11-27T12:00:00Z';
const LONGEST = 72;
/** Verbs that end like another form of a verb. */
const BASE =
  /^(?:embed|exceed|feed|heed|need|proceed|seed|shed|speed|wed|bring|ping|ring|spring|string|swing)$|(?:ss|us)$/;

/** Fault of a subject; null without one. */
export const faultOf = (subject) => {
  if (subject.length > LONGEST) return `it has ${subject.length} characters, at most ${LONGEST} are allowed`;
  if (subject.endsWith('.')) return 'it ends with a full stop';
  const [, order] = /^[a-z][\w./-]*: (.*)$/.exec(subject) ?? [];
  if (order === undefined) return 'it does not begin with its area, as in “cli: add …”';
  const [verb = ''] = order.split(' ');
  if (!/^[a-z]+$/.test(verb)) return `behind the area stands ${JSON.stringify(verb)}, and not a verb`;
  if (/(?:ed|ing|s)$/.test(verb) && !BASE.test(verb))
    return `${verb} is no order: say what the commit does, as in “cli: add …”`;
  return null;
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const root = path.resolve(import.meta.dirname, '..');
  const args = ['log', '--no-merges', `--since=${SINCE}`, '--format=%h %s'];
  // A copy without its history has nothing to check.
  const { stdout = '' } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  const faults = stdout
    .split('\n')
    .filter(Boolean)
    .flatMap((line) => {
      const fault = faultOf(line.slice(line.indexOf(' ') + 1));
      return fault === null ? [] : [`${line}\n    ${fault}`];
    });
  if (faults.length > 0) console.error(`The subject of a commit is wrong:\n${faults.join('\n')}`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
