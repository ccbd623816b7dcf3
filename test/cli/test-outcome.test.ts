import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isOpen, junitOf, NO_WEATHER, type Outcome, outcomeOf, type ToldCheck } from '../../src/cli/check/outcome.ts';

const check = (verdict: ToldCheck['result']['verdict'], more: Partial<ToldCheck> = {}): ToldCheck => ({
  check_id: 'c',
  title: 'PC1 reaches PC2',
  result: { verdict, after_ms: verdict === 'unknown' ? null : 20, text: 'found', broken: 0 },
  ...more,
});
const broken = {
  data: { check_id: 'c', text: 'PC1 does not reach PC2', after_ms: 900, evidence: { state: 'stopped' } },
};

describe('topolog test', () => {
  it('waits for a verdict, and to the end of what has one', () => {
    assert.equal(isOpen(check('met'), 0), false);
    assert.equal(isOpen(check('unknown'), 0), true);
    assert.equal(isOpen(check('met', { for: '10s', first: '1s' }), 10_900), true);
    assert.equal(isOpen(check('met', { for: '10s', first: '1s' }), 11_000), false);
    assert.equal(isOpen(check('met', { within: '10s' }), 100), false);
  });

  it('waits for the weather that a check is about', () => {
    const during = { during: 'storm' };
    assert.equal(isOpen(check('met', during), 0, { ...NO_WEATHER, storms: ['storm'], goesOn: true }), true);
    assert.equal(isOpen(check('met', during), 0, { ...NO_WEATHER, goesOn: true }), false);
    assert.equal(isOpen(check('unknown', during), 0, { ...NO_WEATHER, goesOn: true }), true);
    assert.equal(isOpen(check('unknown', during), 0), false);
    assert.match(outcomeOf(check('unknown', during), []).text, /there was no storm/);
    const over = { ...NO_WEATHER, seen: new Map([['storm', 5_000]]) };
    assert.equal(isOpen(check('unknown', during), 34_999, over), true);
    assert.equal(isOpen(check('unknown', during), 35_000, over), false);
    assert.equal(isOpen(check('met', during), 5_001, over), false);
    assert.match(outcomeOf(check('unknown', during), [], over).text, /never looked at to an end/);
    const endless = { ...over, storms: ['storm'] };
    assert.equal(isOpen(check('met', during), 5_001, endless), false);
    assert.equal(isOpen(check('unknown', { ...during, within: '10s' }), 39_999, endless), true);
    assert.equal(isOpen(check('unknown', { ...during, within: '10s' }), 40_000, endless), false);
  });

  it('does not wait for ever for a verdict that does not come', () => {
    assert.equal(isOpen(check('unknown', { within: '10s' }), 39_999), true);
    assert.equal(isOpen(check('unknown', { within: '10s' }), 40_000), false);
    assert.equal(outcomeOf(check('unknown'), []).state, 'error');
  });

  it('takes what broke once for failed, although it was met again', () => {
    assert.equal(outcomeOf(check('met'), []).state, 'passed');
    const outcome = outcomeOf(check('met'), [broken]);
    assert.deepEqual([outcome.state, outcome.text, outcome.after_ms], ['failed', 'PC1 does not reach PC2', 900]);
    assert.equal(outcomeOf(check('met', { check_id: 'other' }), [broken]).state, 'passed');
  });

  it('writes JUnit with the numbers of its schema, and nothing that XML has no place for', () => {
    const outcomes: Outcome[] = [
      { name: 'a', state: 'passed', after_ms: 1_234, text: '', evidence: null },
      { name: 'b "<&\u0001>', state: 'failed', after_ms: 5, text: 'line\none', evidence: { console: ']]>' } },
      { name: 'c', state: 'error', after_ms: null, text: 'nobody knows', evidence: null },
    ];
    const text = junitOf({ name: 'Lab', began: '2026-01-02T03:04:05.678Z', took: 2_000, outcomes });
    assert.match(text, /tests="3" failures="1" errors="1" time="2\.000"/);
    assert.match(text, /timestamp="2026-01-02T03:04:05"/);
    assert.match(text, /<testcase name="a" classname="Lab" time="1\.234"\/>/);
    assert.match(text, /name="b &quot;&lt;&amp;\ufffd&gt;"/);
    assert.match(text, /message="line&#10;one"/);
    assert.match(text, /\]\]&gt;/);
    assert.ok(!text.includes('\u0001'));
    const [first] = outcomes;
    const twice = junitOf({ name: 'Lab', began: '', took: 1, outcomes: [first, first].map((one) => one as Outcome) });
    assert.deepEqual(twice.match(/testcase name="[^"]*"/g), ['testcase name="a"', 'testcase name="a (2)"']);
  });
});
