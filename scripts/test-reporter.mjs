// Output of a test run: a line for each group, details of failures, skipped tests with their reason; node's closing lines last.
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import path from 'node:path';
import { inspect } from 'node:util';

const secondsOf = ({ duration_ms: ms }) => `(${(ms / 1000).toFixed(2)} s)`;

/** A group whose only fault is a failed test in it has nothing to tell beyond that. */
const isConsequence = ({ failureType }) => failureType === 'subtestsFailed';

const maps = new Map();
const mapOf = (file) => {
  if (!maps.has(file)) maps.set(file, readMap(file));
  return maps.get(file);
};
const readMap = (file) => {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')));
  } catch {
    return null;
  }
};

/** Places in compiled files as places in sources. Only failures need it: loading all maps costs each test process a third of a second. */
const inSources = (text) =>
  text.replace(/(?:file:\/\/)?(\/[^\s():]+\.js):(\d+):(\d+)/g, (place, file, line, column) => {
    const found = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (found?.originalSource === undefined) return place;
    const source = path.resolve(path.dirname(file), found.originalSource);
    return `${source}:${found.originalLine + 1}:${found.originalColumn + 1}`;
  });

/** The runner tells its totals as it tells the diagnostics of tests. */
const CLOSING = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/;

const indent = (text) => text.replace(/^(?=.)/gm, '    ');

export default async function* report(source) {
  const failed = [];
  const closing = [];
  for await (const { type, data } of source) {
    switch (type) {
      case 'test:pass':
        if (data.skip) yield `﹣ ${data.name}: ${data.skip === true ? 'skipped' : data.skip}\n`;
        else if (data.nesting === 0) yield `✔ ${data.name} ${secondsOf(data.details)}\n`;
        break;
      case 'test:fail': {
        const { error } = data.details;
        if (data.nesting === 0) yield `✖ ${data.name} ${secondsOf(data.details)}\n`;
        if (isConsequence(error)) break;
        const place = data.line === undefined ? '' : `:${data.line}:${data.column}`;
        // Told at once and once more at the end, where somebody looks who has only the last lines.
        const told = inSources(
          `✖ ${data.name}  ${data.file ?? ''}${place}\n${indent(inspect(error.cause ?? error, { colors: false }))}\n`,
        );
        failed.push(told);
        yield told;
        break;
      }
      case 'test:stdout':
      case 'test:stderr':
        yield data.message;
        break;
      case 'test:diagnostic':
        if (CLOSING.test(data.message)) closing.push(`ℹ ${data.message}\n`);
        else yield `ℹ ${data.message}\n`;
        break;
    }
  }
  if (failed.length > 0) yield `\nFailed:\n${failed.join('')}`;
  yield `\n${closing.join('')}`;
}
