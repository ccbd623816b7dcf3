import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hashOf, routeOf } from '../src/app/router.ts';
import { boundedHeight, boundedWidth } from '../src/consoles/dock/layout.ts';
import { afterIdle, parseCast } from '../src/consoles/recordings/cast.ts';
import { nativeOf } from '../src/consoles/native.ts';
import { keepPanels } from '../src/consoles/dock/kept-panels.ts';
import type { LabState } from '../src/store/lab.ts';
import { NO_RECORDS } from '../src/store/records.ts';
import { createStore } from '../src/store/store.ts';
import {
  closePanel,
  createWorkbench,
  keyOf,
  openBehind,
  openPanel,
  type Panel,
  panelOf,
} from '../src/store/workbench.ts';

const PROJECT = '0a0a0a0a-0000-4000-8000-000000000001';
const console1: Panel = { kind: 'console', nodeId: '1' };
const recording: Panel = { kind: 'recording', nodeId: '1', name: 'a b.cast' };
const packets: Panel = { kind: 'packets', linkId: '7' };

const createStorage = () => {
  const values = new Map<string, string>();
  return {
    values,
    getItem: (key: string): string | null => values.get(key) ?? null,
    setItem: (key: string, value: string): void => void values.set(key, value),
  };
};
/** A lab that has read its lists, with nodes of these ids and link 7. */
const labWith = (...ids: string[]) => {
  const nodes = new Map(ids.map((id) => [id, {}]));
  const records = { ...NO_RECORDS, nodes, links: new Map([['7', {}]]) };
  return { state: createStore({ isLoaded: true, records } as unknown as LabState) };
};

describe('panels', () => {
  it('are found by their keys', () => {
    for (const panel of [console1, recording, packets]) assert.deepEqual(panelOf(keyOf(panel)), panel);
    for (const key of ['', 'console', 'console ', 'recording 1', 'other 1']) assert.equal(panelOf(key), null, key);
  });

  it('open behind the one in front', () => {
    const bench = createWorkbench();
    bench.update(openPanel(packets));
    bench.update(openBehind([packets, console1]));
    assert.deepEqual([bench.get().panels, bench.get().active], [[packets, console1], keyOf(packets)]);
  });

  it('have an address for a window of their own', () => {
    const route = { view: 'panels', projectId: PROJECT, keys: [console1, recording].map(keyOf) } as const;
    assert.deepEqual(routeOf(hashOf(route)), route);
    assert.deepEqual(routeOf(`#/projects/${PROJECT}/panels/%E0%A4`), { ...route, keys: [''] });
    assert.deepEqual(routeOf(`#/projects/${PROJECT}/other`), { view: 'projects' });
  });
});

describe('panels that are kept', () => {
  it('are there again for the same lab and person, without what was deleted, and take no focus', () => {
    const storage = createStorage();
    const first = createWorkbench();
    const end = keepPanels(first, labWith('1', '2'), storage, 'lab ada');
    first.update(openPanel(console1));
    first.update(openPanel({ kind: 'console', nodeId: '2' }));
    first.update(openPanel(packets));
    end();
    first.update(closePanel(keyOf(packets)));
    const later = createWorkbench();
    keepPanels(later, labWith('1'), storage, 'lab ada');
    assert.deepEqual(later.get().panels, [console1, packets]);
    assert.deepEqual([later.get().active, later.get().isQuiet], [keyOf(packets), true]);
    later.update(openPanel(console1));
    assert.equal(later.get().isQuiet, false);
    const other = createWorkbench();
    keepPanels(other, labWith('1'), storage, 'lab bob');
    assert.deepEqual(other.get().panels, []);
  });

  it('leave in front what was opened before the lists were there', () => {
    const storage = createStorage();
    storage.setItem('topolog.panels', JSON.stringify({ lab: { keys: [keyOf(packets)], active: keyOf(packets) } }));
    const lab = labWith('1');
    const loaded = lab.state.get();
    lab.state.set({ ...loaded, isLoaded: false });
    const bench = createWorkbench();
    keepPanels(bench, lab, storage, 'lab');
    bench.update(openPanel(console1));
    lab.state.set(loaded);
    assert.deepEqual([bench.get().panels, bench.get().active], [[packets, console1], keyOf(console1)]);
  });

  it('are those of the last 50 labs, and nothing for what makes no sense', () => {
    const storage = createStorage();
    for (const text of ['no JSON', '[1]', '{"lab":{"keys":7,"active":{}}}', 'null']) {
      storage.setItem('topolog.panels', text);
      const bench = createWorkbench();
      keepPanels(bench, labWith('1'), storage, 'lab');
      assert.deepEqual(bench.get().panels, [], text);
    }
    for (let i = 0; i < 60; i++) {
      const bench = createWorkbench();
      keepPanels(bench, labWith('1'), storage, `lab ${i}`);
      bench.update(openPanel(console1));
    }
    const kept = Object.keys(JSON.parse(storage.values.get('topolog.panels') ?? '{}') as object);
    assert.deepEqual([kept.length, kept.at(-1)], [50, 'lab 59']);
  });
});

describe('the dock', () => {
  it('leaves the map 60 % of the height, and a part of the width', () => {
    assert.ok(650 - 84 - boundedHeight(9999, 650) >= 0.6 * 650);
    assert.equal(boundedHeight(1, 650), 120);
    assert.equal(boundedWidth(9999, 1000), 600);
    assert.equal(boundedWidth(1, 1000), 280);
  });
});

describe('playing a recording', () => {
  const HEADER = { version: 3, term: { cols: 80, rows: 24 }, timestamp: 1 };
  const cast = parseCast(
    [HEADER, [0.5, 'o', 'a'], [60, 'o', 'b'], [0.2, 'o', 'c']].map((one) => JSON.stringify(one)).join('\n'),
  );

  it('goes on at once where nothing happens for long', () => {
    assert.equal(afterIdle(cast, 0.2), 0.2);
    assert.equal(afterIdle(cast, 1.4), 1.4);
    assert.equal(afterIdle(cast, 1.5), 59.5);
    assert.equal(afterIdle(cast, 59.8), 59.8);
    assert.equal(afterIdle(cast, 60.6), 60.6);
  });

  it('waits no longer at its beginning, and does not pass its end', () => {
    const late = parseCast([HEADER, [30, 'o', 'a']].map((one) => JSON.stringify(one)).join('\n'));
    assert.equal(afterIdle(late, 1), 29);
    assert.equal(afterIdle(late, 30), 30);
  });
});

describe('ways to a console with a program of one’s own', () => {
  const at = (console_type: string, console_host = '10.0.0.7', console: number | null = 5000) =>
    nativeOf({ console_type, console_host, console } as Parameters<typeof nativeOf>[0], 'lab.example');

  it('are an address and a command', () => {
    assert.deepEqual(at('telnet'), { url: 'telnet://10.0.0.7:5000', command: 'telnet 10.0.0.7 5000' });
    assert.deepEqual(at('vnc'), { url: 'vnc://10.0.0.7:5000', command: 'vncviewer 10.0.0.7::5000' });
    assert.equal(at('spice+agent')?.url, 'spice://10.0.0.7:5000');
  });

  it('lead to where the page comes from, if the server listens everywhere', () => {
    assert.equal(at('telnet', '0.0.0.0')?.command, 'telnet lab.example 5000');
    assert.equal(at('telnet', '::1')?.url, 'telnet://[::1]:5000');
  });

  it('are none for what has no such console', () => {
    for (const type of ['none', 'http', 'https']) assert.equal(at(type), null);
    assert.equal(at('telnet', '10.0.0.7', null), null);
  });
});
