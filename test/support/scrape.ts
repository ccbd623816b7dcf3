import assert from 'node:assert/strict';

/** What a scraper has understood: `name{label="value",…}`, labels in their order, to value. */
export type Series = ReadonlyMap<string, number>;

const SAMPLE = /^([a-zA-Z_:][\w:]*)(\{(?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*",?)*\})? (\S+)$/;

/**
 * Reads the text format 0.0.4 and holds it against its rules: each family once, with its help and type before its samples, no sample
 * twice, buckets that grow (https://prometheus.io/docs/instrumenting/exposition_formats/).
 */
export const parseMetrics = (text: string): Series => {
  assert.ok(text.endsWith('\n'), 'the last line ends');
  const series = new Map<string, number>();
  const types = new Map<string, string>();
  let help = '';
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (kind === 'HELP') {
      help = name;
      continue;
    }
    if (kind === 'TYPE') {
      assert.equal(name, help, `${name} has its help before its type`);
      assert.ok(!types.has(name), `${name} is there once`);
      types.set(name, rest);
      continue;
    }
    const [, sample = '', labels = '', value = ''] = SAMPLE.exec(line) ?? [];
    assert.notEqual(sample, '', `a sample: ${line}`);
    const family = types.get(help) === 'histogram' || types.get(help) === 'summary' ? help : sample;
    assert.ok(
      sample === help || (family === help && sample.startsWith(`${help}_`)),
      `${sample} is in the family ${help}`,
    );
    assert.ok(!series.has(sample + labels), `${sample}${labels} is there once`);
    series.set(sample + labels, value === '+Inf' ? Infinity : Number(value));
    if (/^topolog_.*_total$/.test(sample)) assert.equal(types.get(help), 'counter', `${sample} is a counter`);
  }
  checkBuckets(series);
  return series;
};

const checkBuckets = (series: Series): void => {
  let before = { rest: '', value: 0 };
  for (const [name, value] of series) {
    const [, rest] = /^(.*_bucket\{.*)le="[^"]*"\}$/.exec(name) ?? [];
    if (rest === undefined) continue;
    if (rest === before.rest) assert.ok(value >= before.value, `${name} has what is below it`);
    before = { rest, value };
    if (name.endsWith('le="+Inf"}'))
      assert.equal(
        series.get(
          name
            .replace('_bucket{', '_count{')
            .replace(/,?le="\+Inf"/, '')
            .replace('{}', ''),
        ),
        value,
      );
  }
};

export const scrape = async (url: string, headers: Record<string, string> = {}): Promise<Series> => {
  const answer = await fetch(`${url}/metrics`, { headers });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
  assert.equal(answer.headers.get('x-route'), '/metrics');
  return parseMetrics(await answer.text());
};
