import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bodyOf, checkOfSentence, draftOfCheck } from '../src/checks/check-draft.ts';
import { brokenIn, type Check, countsOf, objectsOf, saySince, standingOf } from '../src/checks/checks.ts';
import { formsOf } from '../src/inspector/edit/forms.ts';
import { sentenceOf } from '../src/store/notices.ts';
import { createWorkbench, highlightClasses, highlight } from '../src/store/workbench.ts';
import { speak } from '../src/words/words.ts';

const check = (result: Partial<Check['result']>, more: Partial<Check> = {}): Check => ({
  check_id: 'c',
  title: 'A reaches B',
  reach: { from: 'a', to: 'b' },
  result: {
    ...{
      verdict: 'unknown',
      running: true,
      at: null,
      after_ms: null,
      position: null,
      text: null,
      last: null,
      broken: 0,
    },
    ...result,
  },
  ...more,
});
const met = check({ verdict: 'met', at: '2026-01-01T10:00:00.000Z' });
const broken = check({ verdict: 'broken', at: '2026-01-01T10:00:00.000Z' });
const hintFor = (sentence: string): string => {
  try {
    checkOfSentence(sentence);
    return '';
  } catch (problem) {
    return sentenceOf(problem);
  }
};
const sayTime = (): string => '10:00';

describe('a check on the page', () => {
  it('says since when it is as it is, and what an earlier run has said', () => {
    assert.equal(saySince(met, sayTime), 'Met since 10:00');
    assert.equal(saySince(broken, sayTime), 'Broken since 10:00');
    assert.equal(saySince(check({ ...broken.result, running: false }), sayTime), 'Broken in the last run');
    assert.equal(saySince(check({}), sayTime), 'Waiting: it was not decided yet');
    assert.equal(standingOf(check({ running: false })), 'idle');
    assert.deepEqual(countsOf([met, broken, broken]), { met: 1, broken: 2, waiting: 0, idle: 0 });
  });

  it('has badges where it is broken, only while the lab runs', () => {
    const capture = check(broken.result, { capture: { link: 'l', filter: 'arp', is: 'never' } });
    assert.deepEqual(objectsOf(capture), ['a', 'b', 'l']);
    assert.deepEqual([...brokenIn([met, capture]).keys()], ['a', 'b', 'l']);
    assert.equal(brokenIn([check({ ...broken.result, running: false })]).size, 0);
  });

  it('lights up what it is about, beside what others light up', () => {
    const workbench = createWorkbench();
    workbench.update(highlight('checks', brokenIn([broken])));
    workbench.update(highlight('check', new Map([['a', 'shown']])));
    assert.equal(highlightClasses(workbench.get(), 'a'), 'lit-broken lit-shown');
    workbench.update(highlight('checks', new Map()));
    assert.equal(highlightClasses(workbench.get(), 'a'), 'lit-shown');
    assert.equal(highlightClasses(workbench.get(), 'b'), '');
    const before = workbench.get();
    workbench.update(highlight('checks', new Map()));
    assert.equal(workbench.get(), before);
  });

  it('is made of a sentence', () => {
    assert.deepEqual(checkOfSentence('PC 1 reaches  PC2 within 10s every 500ms'), {
      ...{ reach: { from: 'PC 1', to: 'PC2' }, within: '10s', every: '500ms' },
    });
    assert.deepEqual(checkOfSentence('A does not reach 10.0.9.1'), {
      reach: { from: 'A', to: '10.0.9.1', not: true },
    });
    assert.throws(() => checkOfSentence('A likes B'), /Say something like/);
  });

  it('says how such a sentence is in words that can be typed, in either language', async () => {
    Object.assign(globalThis, { document: { documentElement: {} } });
    await speak('de');
    const said = hintFor('A erreicht B within 10s');
    await speak('en');
    const examples = /^Etwa so, auf Englisch: (.+), oder: (.+)$/.exec(said)?.slice(1) ?? [];
    assert.deepEqual(
      examples.map((one) => checkOfSentence(one).reach),
      [
        { from: 'PC1', to: 'PC2' },
        { from: 'PC1', to: '10.0.9.1', not: true },
      ],
    );
  });
});

describe('the form of a check', () => {
  const node = { type: 'string', title: 'Node' };
  const { check: forms } = formsOf({
    components: {
      schemas: {
        CheckCreate: {
          properties: {
            check_id: { readOnly: true },
            name: { type: 'string', title: 'Name' },
            reach: { properties: { from: node, to: node, not: { type: 'boolean' } }, required: ['from', 'to'] },
            loss: { properties: { from: node, under: { type: 'number', maximum: 100 } }, required: ['from', 'under'] },
          },
        },
      },
    },
  });

  it('has what is looked at, and beside it the rest', () => {
    assert.deepEqual(
      forms.own.map(({ key }) => key),
      ['name'],
    );
    assert.deepEqual(Object.keys(forms.subjects), ['reach', 'loss']);
  });

  it('sends the whole check, with what was typed', () => {
    const draft = { ...draftOfCheck(met), inner: { to: 'c', not: true }, outer: { name: 'N' } };
    assert.deepEqual(bodyOf(forms, draft, met), {
      body: { name: 'N', reach: { from: 'a', to: 'c', not: true } },
      problems: {},
    });
  });

  it('takes decimals, and says what is missing', () => {
    const draft = { ...draftOfCheck(null), subject: 'loss' as const, inner: { from: 'a', under: '0.5' } };
    assert.deepEqual(bodyOf(forms, draft, null).body, { loss: { from: 'a', under: 0.5 } });
    assert.deepEqual(Object.keys(bodyOf(forms, { ...draft, inner: { under: 'x' } }, null).problems), ['from', 'under']);
  });
});
