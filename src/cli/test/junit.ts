import type { Outcome } from './outcome.ts';

/** Characters that XML 1.0 (2.2) has no place for. */
const NO_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
};

const attribute = (text: string): string =>
  text.replace(NO_XML, '\ufffd').replace(/[&<>"\n]/g, (character) => ENTITIES[character] ?? character);
const content = (text: string): string =>
  text.replace(NO_XML, '\ufffd').replace(/[&<>]/g, (character) => ENTITIES[character] ?? character);

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

interface Suite {
  name: string;
  /** ISO time. */
  began: string;
  /** Milliseconds. */
  took: number;
  outcomes: readonly Outcome[];
}

/** One suite with a case for each check, as Jenkins' schema of JUnit files (junit-10.xsd) has them. */
export const junitOf = ({ name, began, took, outcomes }: Suite): string => {
  const count = (state: Outcome['state']): number => outcomes.filter((one) => one.state === state).length;
  const counts = `tests="${outcomes.length}" failures="${count('failed')}" errors="${count('error')}"`;
  const cases = unique(outcomes)
    .map((outcome) => caseOf(name, outcome))
    .join('');
  const head = `name="${attribute(name)}" ${counts} time="${seconds(took)}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites ${head}>
  <testsuite ${head} skipped="0" timestamp="${began.replace(/\.\d+Z$/, '')}" hostname="localhost">
${cases}  </testsuite>
</testsuites>
`;
};

/** Its readers take two cases of one name for the same. */
const unique = (outcomes: readonly Outcome[]): Outcome[] =>
  outcomes.map((outcome, index) => {
    const before = outcomes.slice(0, index).filter(({ name }) => name === outcome.name).length;
    return before === 0 ? outcome : { ...outcome, name: `${outcome.name} (${before + 1})` };
  });

const caseOf = (suite: string, { name, state, after_ms, text, evidence }: Outcome): string => {
  const head = `name="${attribute(name)}" classname="${attribute(suite)}" time="${seconds(after_ms ?? 0)}"`;
  if (state === 'passed') return `    <testcase ${head}/>\n`;
  const tag = state === 'failed' ? 'failure' : 'error';
  const shown = evidence === null ? text : `${text}\n${JSON.stringify(evidence, null, 2)}`;
  return `    <testcase ${head}>
      <${tag} message="${attribute(text)}" type="check.broken">${content(shown)}</${tag}>
    </testcase>
`;
};
