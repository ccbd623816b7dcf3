// How results are shown.
import { shown, summary } from './statistics.mjs';

const spread = ({ median, least, most }, unit) => `${shown(median)} ${unit} (${shown(least)} to ${shown(most)})`;

/** A line of the table. */
export const toRow = ({ what, unit, values, limit, limits, target }) => {
  if (values.length === 0) return { what, measured: 'not measured here', limit: '', ratio: '', target: '' };
  const own = summary(values);
  if (limits === undefined) return { what, measured: spread(own, unit), limit: '', ratio: '', target: '' };
  const bound = summary(limits);
  return {
    what,
    measured: spread(own, unit),
    limit: `${limit}: ${spread(bound, unit)}`,
    ratio: (own.median / bound.median).toFixed(2),
    target: target === undefined ? '' : `at least ${target.toFixed(2)}`,
  };
};

/** In Markdown. */
export const table = (rows) => {
  const heads = { what: '', measured: 'Topolog', limit: 'beside', ratio: 'ratio', target: 'target' };
  const columns = Object.keys(heads);
  const widths = columns.map((c) => Math.max(...[heads, ...rows].map((row) => row[c].length)));
  const line = (row) => `| ${columns.map((c, i) => row[c].padEnd(widths[i])).join(' | ')} |`;
  return [line(heads), `| ${widths.map((w) => '-'.repeat(w)).join(' | ')} |`, ...rows.map(line)].join('\n');
};

/** Of results of several runs that measured the same, the worst: by their ratio where there is something beside, else by their median. */
export const worstOf = (results) => {
  const byLine = new Map();
  results.forEach((result) => {
    if (result.values.length === 0) return;
    const key = lineOf(result, results);
    const known = byLine.get(key);
    if (known === undefined || badness(result) > badness(known)) byLine.set(key, result);
  });
  return [...byLine.values()];
};

/** Some lines have the name of others and belong to the one before them. */
const lineOf = (result, results) => {
  const at = results.indexOf(result);
  let head = at;
  while (head > 0 && /^(a|the same|time|processor|the longest)\b/.test(results[head].what)) head--;
  return `${results[head].what}\n${at - head}`;
};

const badness = ({ unit, values, limits }) => {
  const own = summary(values).median;
  const figure = limits === undefined ? own : own / summary(limits).median;
  return ['/s', 'frames/s'].includes(unit) ? -figure : figure;
};
