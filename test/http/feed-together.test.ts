import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { createReader, isRefusal, MOST_BYTES, type Shown } from '../../src/http/feed/presence.ts';
import { PROJECT, projectData } from '../support/events.ts';
import { type FeedClient, type Frame, listen } from '../support/feed-client.ts';
import { UNKNOWN } from './fake-records.ts';
import { FEED, type FeedLab, feedLab } from './feed-lab.ts';

let lab: FeedLab;
const clients: FeedClient[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await lab.close();
});

const begin = async (): Promise<void> => {
  lab = await feedLab();
  await lab.append('project.created', projectData());
  await lab.append('project.opened', { project_id: PROJECT });
};
const hear = async (query: string, feed = FEED): Promise<FeedClient> => {
  const client = await listen(lab.url, `${feed}/ws${query}`);
  clients.push(client);
  await client.next('ping');
  return client;
};
const NOTHING: Shown = { pointer: null, selected: [], moving: [], view: null, consoles: [], leads: false };
const show = ({ socket }: FeedClient, part: Partial<Shown> = {}): void =>
  socket.send(JSON.stringify({ ...NOTHING, ...part }));
const shownBy = ({ event: { id: _, ...shown } }: Frame): unknown => shown;
const told = ({ frames }: FeedClient): Frame[] => frames.filter(({ action }) => action === 'listener.updated');
const idOf = async (client: FeedClient): Promise<unknown> => (await client.next('project.listeners')).event['you'];

describe('what listeners of a project show to each other', { timeout: 60_000 }, () => {
  it('is heard by the others who have asked, with the id of who shows it, and is no event', async () => {
    await begin();
    const [ada, grace, quiet] = [await hear('?live=true&as=Ada'), await hear('?live=true'), await hear('')];
    const id = await idOf(ada);
    const before = lab.changes.position();
    const part = { pointer: { x: 1.5, y: -2 }, selected: ['a'], moving: [{ id: 'a', x: 3, y: 4 }], leads: true };
    show(ada, part);
    const frame = await grace.next('listener.updated');
    assert.deepEqual(frame.event, { id, ...NOTHING, ...part });
    assert.equal(frame.position, before);
    show(grace, { consoles: ['b'] });
    assert.deepEqual(shownBy(await ada.next('listener.updated')), { ...NOTHING, consoles: ['b'] });
    assert.equal(told(ada).length, 1);
    assert.deepEqual(told(quiet), []);
    assert.equal(lab.changes.position(), before);
  });

  it('stays within its project', async () => {
    await begin();
    await lab.append('project.created', projectData(UNKNOWN), UNKNOWN);
    const ada = await hear('?live=true');
    const elsewhere = await hear('?live=true', FEED.replace(PROJECT, UNKNOWN));
    const grace = await hear('?live=true');
    show(ada, { selected: ['here'] });
    await grace.next('listener.updated');
    assert.deepEqual(told(elsewhere), []);
  });

  it('is told to who comes later, and not once its listener has gone', async () => {
    await begin();
    const [ada, grace] = [await hear('?live=true'), await hear('?live=true')];
    show(ada, { selected: ['old'] });
    show(ada, { selected: ['last'] });
    await grace.next(({ event }) => String(event['selected']) === 'last');
    const late = await hear('?live=true');
    assert.deepEqual(shownBy(await late.next('listener.updated')), { ...NOTHING, selected: ['last'] });
    show(ada, { selected: ['again'] });
    await ada.close();
    await grace.next((frame) => frame.action === 'project.listeners' && frame.event['count'] === 2);
    const last = await hear('?live=true');
    await last.next('project.listeners');
    show(grace, { selected: ['grace'] });
    assert.deepEqual(shownBy(await last.next('listener.updated')), { ...NOTHING, selected: ['grace'] });
    assert.equal(told(last).length, 1);
  });

  it('is told 20 times a second at most, and what was shown last is always told', async () => {
    await begin();
    const [ada, grace] = [await hear('?live=true'), await hear('?live=true')];
    const from = performance.now();
    for (let i = 1; i <= 150; i++) show(ada, { pointer: { x: i, y: 0 } });
    await grace.next(({ event }) => (event['pointer'] as { x: number } | undefined)?.x === 150);
    const most = 1 + Math.ceil((performance.now() - from) / 50);
    assert.ok(told(grace).length <= most, `${told(grace).length} of at most ${most}`);
  });

  it('moves nothing in a project that is closed', async () => {
    await begin();
    await lab.append('project.closed', { project_id: PROJECT });
    const [ada, grace] = [await hear('?live=true'), await hear('?live=true')];
    show(ada, { selected: ['a'], moving: [{ id: 'a', x: 0, y: 0 }] });
    assert.deepEqual(shownBy(await grace.next('listener.updated')), { ...NOTHING, selected: ['a'] });
  });

  it('ends with a reason that names the field, for what cannot be understood', async () => {
    await begin();
    for (const [message, code, reason] of [
      ['no JSON', 1008, /^message: /],
      [JSON.stringify({ ...NOTHING, pointer: { x: 'far', y: 0 } }), 1008, /^pointer\.x: /],
      [JSON.stringify({ ...NOTHING, other: 1 }), 1008, /other/],
      [JSON.stringify({ ...NOTHING, selected: Array(201).fill('a') }), 1008, /^selected: /],
      ['x'.repeat(MOST_BYTES + 1), 1009, /octets/],
    ] as const) {
      const client = await hear('?live=true');
      client.socket.send(message);
      const [ended, said] = await client.closed;
      assert.equal(ended, code, said);
      assert.match(said, reason);
    }
  });

  it('is nothing that those can say who have not asked for what is live', async () => {
    await begin();
    const [quiet, ada] = [await hear(''), await hear('?live=true')];
    quiet.socket.send('whatever');
    show(quiet, { selected: ['a'] });
    const other = await hear('?live=true');
    show(other, { selected: ['b'] });
    assert.deepEqual(shownBy(await ada.next('listener.updated')), { ...NOTHING, selected: ['b'] });
  });

  it('is cut off when it is a flood', async () => {
    await begin();
    let now = 0;
    const read = createReader(() => now);
    const message = Buffer.from(JSON.stringify(NOTHING));
    for (let i = 0; i < 200; i++) assert.ok(!isRefusal(read(message)));
    const cut = read(message);
    assert.ok(isRefusal(cut) && cut.code === 1008 && /in a second/.test(cut.reason));
    now = 1000;
    assert.ok(!isRefusal(read(message)));
  });
});
