import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { entries, KEYS, SERVER_STREAM, type Store, type StoreOp } from '../../src/events/store/store.ts';
import { EventLog } from '../../src/events/log/log.ts';
import { CHECKPOINTS } from '../../src/projections/past/checkpoints.ts';
import { Moments } from '../../src/projections/past/moments.ts';
import { Records } from '../../src/projections/store.ts';
import type { CheckProgress } from '../../src/session/verify/findings.ts';
import { checkStore, type StoreVerdict } from '../../src/session/verify/check-store.ts';
import { drawingDraft, draftOf, PROJECT, projectData } from '../support/events.ts';
import { memoryStore } from '../support/memory-store.ts';
import { NODES, type RecordedLab, recordedLab } from './recorded-lab.ts';

const OTHER = '00000000-0000-4000-8000-000000000002';

describe('verifying a store', () => {
  let lab: RecordedLab;
  /** Every key and value, to begin each test with a store that is whole. */
  let whole: [string, string][];
  let store: Store;
  before(async () => {
    lab = await recordedLab();
    await lab.log.append([draftOf('project.created', projectData(OTHER), OTHER), drawingDraft(99, OTHER)]);
    whole = [];
    for await (const entry of entries(lab.store, { gte: ' ', lte: '~' })) whole.push(entry);
  });
  after(() => lab.end());
  beforeEach(async () => {
    store = memoryStore();
    await put(...whole);
  });

  const put = (...of: [string, string][]): Promise<void> =>
    store.batch(
      of.map(([key, value]): StoreOp => ({ type: 'put', key, value })),
      { sync: true },
    );
  const del = (key: string): Promise<void> => store.batch([{ type: 'del', key }], { sync: true });
  const valueOf = async (key: string): Promise<string> => {
    const value = await store.get(key);
    assert.ok(value !== undefined, `there is no ${key}`);
    return value;
  };
  const positionOfVersion = async (version: number): Promise<number> =>
    Number(await valueOf(KEYS.stream(PROJECT, version)));
  /** What is found in all of the store and, where it concerns it, in the project alone. */
  const problems = async (project: string | null = PROJECT): Promise<(string | number | null)[][]> => {
    const verdicts: StoreVerdict[] = [await checkStore(store)];
    if (project !== null) verdicts.push(await checkStore(store, project));
    return verdicts.map(({ ok, problem }) => {
      assert.equal(ok, problem === null);
      return problem === null ? [] : [problem.position, problem.where, problem.message];
    });
  };
  const broken = async (position: number | null, where: string, message: RegExp, project?: null): Promise<void> => {
    for (const [at, what, why] of await problems(project)) {
      assert.deepEqual([at, what], [position, where]);
      assert.match(String(why), message);
    }
  };

  it('finds nothing where all is well', async () => {
    assert.deepEqual(await problems(), [[], []]);
    const { facts, records } = await checkStore(store);
    const positions = whole.filter(([key]) => key.startsWith('f/')).length;
    assert.deepEqual([facts, records], [positions, whole.filter(([key]) => key.startsWith('r/')).length]);
    assert.equal((await checkStore(store, OTHER)).facts, 2);
    assert.deepEqual(await checkStore(memoryStore()), {
      ok: true,
      facts: 0,
      records: 0,
      lost: 0,
      problem: null,
      problems: [],
    });
  });

  it('says how far it is, in the whole log and in a project of it', async () => {
    for (const project of [null, PROJECT]) {
      const told: CheckProgress[] = [];
      const { facts } = await checkStore(store, project, { onProgress: (now) => told.push(now) });
      const last = (part: CheckProgress['part']): CheckProgress | undefined =>
        told.findLast((one) => one.part === part);
      assert.deepEqual(last('events'), { part: 'events', done: facts, of: facts });
      const indexes = last('indexes');
      assert.ok(indexes !== undefined && indexes.done > facts);
      assert.equal(indexes.done, indexes.of);
      assert.ok(told.every(({ done, of }) => done <= of));
    }
  });

  it('ends soon when nobody waits for it', async () => {
    for (const part of ['events', 'indexes'] as const) {
      const ending = new AbortController();
      const onProgress = (now: CheckProgress): void => {
        if (now.part === part) ending.abort();
      };
      await assert.rejects(checkStore(store, PROJECT, { onProgress, signal: ending.signal }), { name: 'AbortError' });
    }
  });

  it('names an event that is gone', async () => {
    const position = await positionOfVersion(7);
    await del(KEYS.event(position));
    await broken(position, 'event', /missing/);
  });

  it('names a changed event, also when it is the last of the log', async () => {
    for (const version of [5, lab.versions]) {
      const position = await positionOfVersion(version);
      const text = await valueOf(KEYS.event(position));
      await put([KEYS.event(position), text.replace('project_id":"0', 'project_id":"1')]);
      await broken(position, 'event', /does not fit its hash/);
      await put([KEYS.event(position), text]);
    }
  });

  it('names an event in the place of another', async () => {
    const [a, b] = [await positionOfVersion(13), await positionOfVersion(14)];
    const [first, second] = [await valueOf(KEYS.event(a)), await valueOf(KEYS.event(b))];
    await put([KEYS.event(a), second], [KEYS.event(b), first]);
    await broken(a, 'event', /does not fit its hash/);
  });

  it('names an entry of the stream index that is gone or leads elsewhere', async () => {
    const key = KEYS.stream(PROJECT, 8);
    const position = await positionOfVersion(8);
    await del(key);
    const [all, one] = await problems();
    assert.deepEqual(all?.slice(0, 2), [position, `index ${key}`]);
    // With the index as the way through the stream, the next event is where it is noticed.
    assert.deepEqual(one?.slice(0, 2), [position + 1, 'event']);
    await put([key, String(position + 1)]);
    assert.deepEqual((await problems(null))[0]?.slice(0, 2), [position, `index ${key}`]);
  });

  it('names an entry of an index that no event accounts for', async () => {
    const position = await positionOfVersion(6);
    const extra: [string, string, number | null][] = [
      [KEYS.stream(PROJECT, lab.versions + 1), String(position), position],
      [KEYS.stream(SERVER_STREAM, 999), 'x', null],
      [KEYS.object(NODES[0] ?? '', position + 10_000), '', position + 10_000],
      [KEYS.object('nobody', position), '', position],
    ];
    for (const [key, value, at] of extra) {
      await put([key, value]);
      assert.deepEqual((await problems(null))[0]?.slice(0, 2), [at, `index ${key}`]);
      await del(key);
    }
  });

  it('names an entry of the object index that is gone', async () => {
    const position = await positionOfVersion(3);
    const key = KEYS.object(NODES[0] ?? '', position);
    await del(key);
    await broken(position, `index ${key}`, /missing/);
  });

  it('names a head that is gone, behind, or of no stream', async () => {
    const key = KEYS.head(PROJECT);
    const head = await valueOf(key);
    const last = await positionOfVersion(lab.versions);
    await put([key, head.replace(`"version":${lab.versions}`, `"version":${lab.versions - 1}`)]);
    await broken(last, `head ${key}`, /not the last event/);
    await put([key, 'no JSON']);
    await broken(last, `head ${key}`, /not the last event/);
    await del(key);
    await broken(last, `head ${key}`, /not the last event/);
    await put([key, head], [KEYS.head('nobody'), head]);
    await broken(last, `head ${KEYS.head('nobody')}`, /not the last event/, null);
  });

  it('names a record that is changed, gone, or without events', async () => {
    const key = KEYS.record('node', NODES[1] ?? '');
    const record = await valueOf(key);
    const { changed } = JSON.parse(record) as { changed: number };
    await put([key, record.replace('"stopped"', '"started"')]);
    await broken(changed, `record ${key}`, /not what the events fold to/);
    await del(key);
    await broken(changed, `record ${key}`, /missing/);
    const other = KEYS.record('node', 'nobody');
    await put([key, record], [other, record]);
    await broken(changed, `record ${other}`, /no events/);
  });

  it('names a checkpoint that is not what the events up to it fold to', async () => {
    const key = CHECKPOINTS.key(PROJECT, 20);
    const position = await positionOfVersion(20);
    const view = await new Moments(() => store).at(PROJECT, position);
    const records = (['node', 'link', 'drawing'] as const).flatMap((collection) =>
      view.ofProject(collection, PROJECT).map((record) => {
        const id = 'node_id' in record ? record.node_id : 'link_id' in record ? record.link_id : record.drawing_id;
        return { collection, id, record };
      }),
    );
    const checkpoint = JSON.stringify([
      ...records,
      { collection: 'project', id: PROJECT, record: view.get('project', PROJECT) },
    ]);
    await put([key, checkpoint]);
    assert.deepEqual(await problems(), [[], []]);
    await put([key, checkpoint.replace('"started"', '"stopped"')]);
    await broken(position, `checkpoint ${key}`, /fold to/);
    await put([key, '{']);
    await broken(position, `checkpoint ${key}`, /fold to/);
    const beyond = CHECKPOINTS.key(PROJECT, lab.versions + 1);
    await del(key);
    await put([beyond, checkpoint]);
    await broken(null, `checkpoint ${beyond}`, /no such version/);
  });

  it('checks a single project whatever becomes of the others', async () => {
    const position = Number(await valueOf(KEYS.stream(OTHER, 2)));
    await del(KEYS.event(position));
    assert.equal((await checkStore(store, PROJECT)).ok, true);
    assert.equal((await checkStore(store, OTHER)).problem?.position, position);
  });
});

describe('verifying a store that is being written', () => {
  it('sees one moment of it, and finds nothing', async () => {
    const store = memoryStore();
    const log = await EventLog.open(() => Promise.resolve(store), new Records());
    await log.append([draftOf('project.created', projectData())]);
    for (let n = 0; n < 600; n++) void log.append([drawingDraft(n)]);
    await log.append([drawingDraft(600)]);
    let writing = true;
    let n = 601;
    const writer = (async () => {
      while (writing) {
        await log.append([
          drawingDraft(n),
          draftOf('drawing.deleted', {
            drawing_id: `00000000-0000-4000-9000-${String(n - 600).padStart(12, '0')}`,
            project_id: PROJECT,
          }),
        ]);
        n++;
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    const seen: number[] = [];
    for (let i = 0; i < 5; i++) {
      const verdict = await checkStore(store, i % 2 === 0 ? null : PROJECT);
      assert.equal(verdict.problem, null);
      seen.push(verdict.facts);
    }
    writing = false;
    await writer;
    await log.close();
    assert.ok((seen.at(-1) ?? 0) > 602, 'nothing was written meanwhile');
  });
});
