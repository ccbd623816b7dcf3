import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { followCapture } from '../../src/http/v2/captures/pcap-stream.ts';

describe('following a capture file', () => {
  let directory = '';
  let path = '';
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'topolog-pcap-'));
    path = join(directory, 'a.pcap');
  });
  after(() => rm(directory, { recursive: true }));

  const follow = (over: Partial<Parameters<typeof followCapture>[0]> = {}) =>
    followCapture({
      path,
      running: () => true,
      flush: async () => undefined,
      signal: new AbortController().signal,
      pauseMs: 1,
      ...over,
    });

  it('reads no further than its reader, however much there is', async () => {
    await writeFile(path, Buffer.alloc(8 << 20));
    let flushes = 0;
    const stream = follow({
      flush: async () => {
        flushes++;
      },
    });
    await once(stream, 'readable');
    assert.ok(stream.read());
    for (let i = 0; i < 5; i++) await readFile(path);
    assert.ok(stream.readableLength <= 256 * 1024, String(stream.readableLength));
    assert.equal(flushes, 1);
    stream.destroy();
    await once(stream, 'close');
  });

  it('ends at once when its reader goes while it waits', async () => {
    await writeFile(path, 'head');
    const gone = new AbortController();
    const stream = follow({ signal: gone.signal, pauseMs: 3_600_000 });
    const [chunk] = (await once(stream, 'data')) as [Buffer];
    assert.equal(String(chunk), 'head');
    const ended = once(stream, 'end');
    gone.abort();
    await ended;
  });

  it('ends when another capture has begun in the same file', async () => {
    await writeFile(path, 'a longer head');
    const stream = follow();
    await once(stream, 'data');
    const ended = once(stream, 'end');
    await truncate(path, 3);
    await ended;
  });

  it('fails when there is no file and none will come', async () => {
    const stream = follow({ path: join(directory, 'none'), running: () => false });
    stream.resume();
    const [error] = (await once(stream, 'error')) as [NodeJS.ErrnoException];
    assert.equal(error.code, 'ENOENT');
  });
});
