import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { families } from '../../src/http/metrics/exposition.ts';
import { Counts } from '../../src/http/metrics/counts.ts';
import { FakeRecords } from '../http/fake-records.ts';

/** Names of metrics in queries, without what a histogram adds. */
const namesIn = (text: string): string[] =>
  [...text.matchAll(/\btopolog_[a-z_]+/g)].map(([name]) => name.replace(/_(?:bucket|sum|count)$/, ''));

describe('docs/reference/metrics.md', () => {
  it('lists what /metrics tells, with its type', async () => {
    const page = readFileSync('docs/reference/metrics.md', 'utf8');
    const rows = [...page.matchAll(/^\| `(topolog_\w+)` +\| (\w+) /gm)].map(([, name = '', type = '']) => [name, type]);
    const told = await families({
      ...{ counts: new Counts(), records: new FakeRecords(), version: '1', computeId: 'local' },
      changes: {
        position: () => 0,
        onCommitted: () => undefined,
        missed: async () => 0,
        since: async function* () {},
      },
      fabricTotals: async () => ({ frames: 0, bytes: 0, dropped: 0, delayed: 0, cables: 0 }),
      standing: () => ({ role: 'writer', refuses: null, cell: { epoch: 1, lease_seconds: 1, standbys: [] } }),
    });
    assert.deepEqual(rows.sort(), told.map(({ name, type }) => [name, type]).sort());
    const known = new Set(told.map(({ name }) => name));
    for (const file of ['examples/running/prometheus/alerts.yml', 'docs/how-to/run-for-others.md'])
      for (const name of namesIn(readFileSync(file, 'utf8'))) assert.ok(known.has(name), `${file}: ${name}`);
  });
});
