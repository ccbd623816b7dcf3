import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, it } from 'node:test';
import { OPEN } from '../../src/http/access/admission.ts';
import { openUsers } from '../../src/http/access/users.ts';
import type { HttpDeps } from '../../src/http/api.ts';
import { type LinkTraffic, ratesOf, TrafficMeter } from '../../src/http/feed/live.ts';
import { drawingData, PROJECT, projectData } from '../support/events.ts';
import { type FeedClient, type Frame, listen } from '../support/feed-client.ts';
import { loggerTo } from '../support/logger.ts';
import { tempDir } from '../support/temp.ts';
import { basic, userLine } from '../support/users.ts';
import { UNKNOWN } from './fake-records.ts';
import { FEED, type FeedLab, feedLab } from './feed-lab.ts';

let lab: FeedLab;
const clients: FeedClient[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await lab.close();
});

const begin = async (over: Partial<HttpDeps> = {}): Promise<void> => {
  lab = await feedLab(over);
  await lab.append('project.created', projectData());
  await lab.append('project.opened', { project_id: PROJECT });
};
const hear = async (query = '?live=true', headers: Record<string, string> = {}): Promise<FeedClient> => {
  const client = await listen(lab.url, `${FEED}/ws${query}`, headers);
  clients.push(client);
  return client;
};

interface Told {
  count: number;
  you: number;
  listeners: { id: number; name: string; address: string; since: string }[];
}
const toldOf = ({ event }: Frame): Told => event as unknown as Told;
/** The first frame that tells of so many. */
const present = async (client: FeedClient, count: number): Promise<Told> =>
  toldOf(await client.next((frame) => frame.action === 'project.listeners' && toldOf(frame).count === count));
const names = ({ listeners }: Told): string[] => listeners.map(({ name }) => name);

describe('who listens to a project', { timeout: 60_000 }, () => {
  it('is told to those who have asked, when they come and whenever somebody comes or goes', async () => {
    await begin();
    const ada = await hear('?live=true&as=Ada');
    const alone = await present(ada, 1);
    assert.deepEqual(names(alone), ['Ada']);
    assert.equal(alone.listeners[0]?.address, '127.0.0.1');
    const grace = await hear('?live=true&as=Grace');
    const both = await present(grace, 2);
    assert.deepEqual(names(both), ['Ada', 'Grace']);
    assert.deepEqual([both.you, alone.you], [both.listeners[1]?.id, both.listeners[0]?.id]);
    assert.deepEqual(names(await present(ada, 2)), ['Ada', 'Grace']);
    await grace.close();
    assert.deepEqual(names(await present(ada, 1)), ['Ada']);
  });

  it('is one for all windows of a person, also when the first of them has gone', async () => {
    await begin();
    const page = await hear('?live=true&as=Ada&seat=a-1');
    await present(page, 1);
    const windows = [await hear('?live=true&as=Ada&beside=a-1'), await hear('?live=true&as=Ada&beside=a-1')];
    const grace = await hear('?live=true&as=Grace&seat=g-1');
    const { listeners, you } = await present(page, 2);
    assert.deepEqual(names({ listeners, you, count: 2 }), ['Ada', 'Grace']);
    assert.equal(listeners[0]?.id, you);
    await page.close();
    const left = toldOf(
      await grace.next((frame) => frame.action === 'project.listeners' && toldOf(frame).listeners[0]?.id !== you),
    );
    assert.deepEqual([left.count, names(left)], [2, ['Ada', 'Grace']]);
    for (const one of windows) await one.close();
    assert.deepEqual(names(await present(grace, 1)), ['Grace']);
  });

  it('names also those who have not asked, who hear nothing of it', async () => {
    await begin();
    const quiet = await hear('');
    const ada = await hear('?live=true&as=Ada');
    assert.deepEqual(names(await present(ada, 2)), ['anonymous', 'Ada']);
    await lab.append('drawing.created', drawingData(1));
    await quiet.next('drawing.created');
    assert.deepEqual(
      quiet.said().map(({ action }) => action),
      ['drawing.created'],
    );
  });

  it('is those of that project, and nothing of it is an event', async () => {
    await begin();
    await lab.append('project.created', projectData(UNKNOWN), UNKNOWN);
    const ada = await hear('?live=true&as=Ada');
    await present(ada, 1);
    const elsewhere = await listen(lab.url, `${FEED.replace(PROJECT, UNKNOWN)}/ws?live=true&as=Grace`);
    clients.push(elsewhere);
    assert.deepEqual(names(await present(elsewhere, 1)), ['Grace']);
    assert.equal(lab.changes.position(), 3);
    const feed = ada.frames.filter(({ action }) => action === 'project.listeners');
    for (const frame of feed) assert.equal(toldOf(frame).count, 1);
  });

  it('is the user where passwords are asked, whatever a listener calls itself', async () => {
    const dir = await tempDir();
    const file = path.join(dir.path, 'users');
    await writeFile(file, userLine('ada', 'lovelace'), { mode: 0o600 });
    await begin({ access: { ...OPEN, users: openUsers(file, loggerTo()) } });
    const client = await hear('?live=true&as=Root', basic('ada', 'lovelace'));
    assert.deepEqual(names(await present(client, 1)), ['ada']);
    await dir.remove();
  });

  it('comes after what was missed, with the position up to which nothing is missing', async () => {
    await begin();
    await lab.append('drawing.created', drawingData(1));
    const client = await hear('?live=true&since=1');
    const { position } = await client.next('project.listeners');
    assert.equal(position, 3);
    assert.deepEqual(
      client.frames.slice(0, 3).map(({ action }) => action),
      ['project.opened', 'drawing.created', 'ping'],
    );
  });

  it('may not have a name that cannot be shown', async () => {
    await begin();
    for (const name of ['', 'a%0ab', '%00', 'x'.repeat(65), '%e2%80%ae'])
      assert.equal((await fetch(`${lab.url}${FEED}?live=true&as=${name}`)).status, 400, name);
    assert.equal((await fetch(`${lab.url}${FEED}?live=perhaps`)).status, 400);
    assert.equal((await fetch(`${lab.url}${FEED}?live=true&beside=a%20b`)).status, 400);
  });
});

const LINK_A = '0a0a0a0a-0000-4000-8000-000000000001';
const counted = (link_id: string, frames: number, dropped = 0): LinkTraffic => ({
  link_id,
  directions: [
    { frames, bytes: frames * 100, dropped, delayed: 0 },
    { frames: 0, bytes: 0, dropped: 0, delayed: 0 },
  ],
});

describe('what passes on links', { timeout: 60_000 }, () => {
  it('is told as a second’s worth, in each direction', () => {
    assert.deepEqual(ratesOf(counted('a', 10, 1), counted('a', 20, 4), 2), {
      link_id: 'a',
      frames: [5, 0],
      bytes: [500, 0],
      dropped: [1.5, 0],
      delayed: [0, 0],
    });
  });

  it('is not told where the counters were reset', () => {
    assert.equal(ratesOf(counted('a', 10), counted('a', 2), 1), null);
  });

  it('is told when it changes: of a link that has become still once, of one that goes on alike not again', () => {
    const meter = new TrafficMeter();
    const looks = [[0], [10], [20], [20], [20], [50]].map(([frames], i) =>
      meter.look([counted('a', frames ?? 0)], i * 1000),
    );
    const rates = looks.map((frame) =>
      frame === null ? null : (JSON.parse(frame.event) as { links: { frames: number[] }[] }).links[0]?.frames[0],
    );
    assert.deepEqual(rates, [null, 10, null, 0, null, 30]);
  });

  it('is told again to all when somebody has come, but for what is still', () => {
    const meter = new TrafficMeter();
    const at = (n: number) => [counted('a', n * 10), counted('b', 7)];
    meter.look(at(0), 0);
    meter.look(at(1), 1000);
    assert.equal(meter.look(at(2), 2000), null);
    meter.tellAll();
    const frame = meter.look(at(3), 3000);
    const { links } = JSON.parse(frame?.event ?? '{}') as { links: { link_id: string }[] };
    assert.deepEqual(
      links.map(({ link_id }) => link_id),
      ['a'],
    );
    assert.equal(meter.look(at(4), 4000), null);
  });

  it('counts the first frames of a link on which nothing had passed', () => {
    const meter = new TrafficMeter();
    meter.look([], 0);
    assert.match(meter.look([counted('a', 3)], 1000)?.event ?? '', /"frames":\[3,0\]/);
  });

  it('goes to those who have asked, and is asked of the fabric only as long as there are some', async () => {
    let asked = 0;
    await begin({
      limits: { liveMs: 20 },
      traffic: async () => [counted(LINK_A, ++asked * 10)],
    });
    const quiet = await hear('');
    await quiet.next('ping');
    assert.equal(asked, 0);
    const client = await hear();
    const { event } = await client.next('link.traffic');
    const [link] = (event as unknown as { links: { link_id: string; frames: number[] }[] }).links;
    assert.equal(link?.link_id, LINK_A);
    assert.ok((link?.frames[0] ?? 0) > 0);
    await client.close();
    await lab.append('drawing.created', drawingData(1));
    await quiet.next('drawing.created');
    const before = asked;
    await new Promise((resolve) => setTimeout(resolve, 200));
    // One look may have been under way.
    assert.ok(asked <= before + 1, `${asked - before} looks for nobody`);
    assert.deepEqual(
      quiet.said().map(({ action }) => action),
      ['drawing.created'],
    );
  });

  it('goes on after the fabric was away', async () => {
    let asked = 0;
    await begin({
      limits: { liveMs: 10 },
      traffic: async () => {
        asked += 1;
        if (asked < 4) throw new Error('the fabric is gone');
        return [counted(LINK_A, asked * 10)];
      },
    });
    const client = await hear();
    await client.next('link.traffic');
    assert.equal(lab.fake.defects.length, 0);
  });
});
