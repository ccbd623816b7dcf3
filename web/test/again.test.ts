import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { retryingReads } from '../src/app/user/retrying-fetch.ts';

describe('a request whose connection broke', () => {
  /** Breaks so many times; answers which were asked. */
  const broken = (times: number) => {
    const asked: string[] = [];
    const fetch = (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
      asked.push(init?.method ?? (input instanceof Request ? input.method : 'GET'));
      return asked.length > times ? Promise.resolve(new Response('there')) : Promise.reject(new TypeError('broken'));
    };
    return { asked, fetch: retryingReads(fetch) };
  };

  it('is asked once more where it reads', async () => {
    const { asked, fetch } = broken(1);
    assert.equal(await (await fetch(new Request('http://server/v2/projects'))).text(), 'there');
    assert.deepEqual(asked, ['GET', 'GET']);
    const twice = broken(2);
    await assert.rejects(twice.fetch('http://server/v2/projects'), /broken/);
    assert.equal(twice.asked.length, 2);
  });

  it('is not sent again where it may have changed something', async () => {
    const { asked, fetch } = broken(1);
    await assert.rejects(fetch(new Request('http://server/v2/projects', { method: 'POST' })), /broken/);
    assert.deepEqual(asked, ['POST']);
  });

  it('is given up with its signal', async () => {
    const { asked, fetch } = broken(1);
    const abort = new AbortController();
    const answer = fetch('http://server/v2/projects', { signal: abort.signal });
    abort.abort();
    await assert.rejects(answer, { name: 'AbortError' });
    assert.equal(asked.length, 1);
  });
});
