import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { momentOf, timelineRow } from '../../src/cli/log/log.ts';
import { layOut, paintFor, wantsColour } from '../../src/cli/table.ts';
import type { AnyEvent } from '../../src/events/schemas.ts';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');

describe('--since', () => {
  for (const [given, moment] of [
    ['90s', '2026-03-01T11:58:30.000Z'],
    ['10m', '2026-03-01T11:50:00.000Z'],
    ['2h', '2026-03-01T10:00:00.000Z'],
    ['3d', '2026-02-26T12:00:00.000Z'],
    ['2026-03-01T12:00:00+02:00', '2026-03-01T10:00:00.000Z'],
    ['2026-02-01', '2026-02-01T00:00:00.000Z'],
  ] as const)
    it(`takes ${given}`, () => assert.equal(momentOf(given, NOW), moment));

  for (const given of ['10', 'yesterday', '10 m', '-5m', '2026', ''])
    it(`refuses ${given === '' ? 'nothing' : given}`, () =>
      assert.throws(() => momentOf(given, NOW), /--since must be/));
});

describe('the timeline', () => {
  it('keeps its columns from one page to the next', () => {
    const widths: number[] = [];
    const [first] = layOut([['1', 'time', 'somebody', 'node.started', 'PC1']], widths);
    const [second] = layOut([['2', 'time', 'me', 'node.lost', 'PC1']], widths);
    assert.equal(first?.indexOf('PC1'), second?.indexOf('PC1'));
  });

  it('says which check was met or broken, and what was found', () => {
    const data = {
      check_id: 'c',
      project_id: 'p',
      name: 'both run',
      after_ms: 5,
      text: 'PC2 is stopped',
      evidence: {},
    };
    const event = {
      position: 9,
      at: 'then',
      by: { principal: 'system', address: null },
      type: 'check.broken',
      data,
      cause: 8,
    };
    const row = timelineRow(new Map(), event as unknown as AnyEvent);
    assert.deepEqual(row.slice(3), ['check.broken', 'both run', 'PC2 is stopped', '(because of 8)']);
  });

  it('says how a node ended', () => {
    const exited = (data: object) => ({
      position: 9,
      at: 'then',
      by: { principal: 'system', address: null },
      type: 'node.exited',
      data,
      cause: null,
    });
    const detail = (data: object) => timelineRow(new Map(), exited(data) as unknown as AnyEvent)[5];
    assert.equal(detail({ code: 1, signal: null, output: 'panic' }), 'code 1: panic');
    assert.equal(detail({ code: null, signal: 'SIGKILL', output: '' }), 'signal SIGKILL');
  });

  it('has no colours unless it is asked for them, and then the same words in the same columns', () => {
    const row = ['7', 'time', 'system', 'node.lost', 'PC1', 'gone', '(because of 3)'];
    const [plain = ''] = layOut([row]);
    const [painted = ''] = layOut([row], [], [paintFor({ type: 'node.lost' })]);
    assert.doesNotMatch(plain, /\u001b/);
    assert.match(painted, /\u001b\[31mnode\.lost\u001b\[0m/);
    assert.equal(painted.replace(/\u001b\[\d+m/g, ''), plain);
  });

  it('is coloured on a terminal only, and not where NO_COLOR is set', () => {
    assert.equal(wantsColour({ isTTY: true }, {}), true);
    assert.equal(wantsColour({}, {}), false);
    assert.equal(wantsColour({ isTTY: true }, { NO_COLOR: '1' }), false);
    assert.equal(wantsColour({ isTTY: true }, { NO_COLOR: '' }), true);
    assert.equal(wantsColour({ isTTY: true }, { TERM: 'dumb' }), false);
  });
});
