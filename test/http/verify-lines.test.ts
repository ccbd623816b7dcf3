import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { verifyLines } from '../../src/http/v2/events/sessions.ts';
import type { VerifyOptions } from '../../src/session/sessions.ts';
import { testServer } from '../support/server.ts';

const WHOLE = { ok: true, facts: 7, records: 2, lost: 0, problem: null, problems: [] };

describe('a check of the log as lines', () => {
  it('says how far it is until it is done', async () => {
    let finish = (): void => undefined;
    const verify = ({ onProgress }: VerifyOptions): Promise<typeof WHOLE> => {
      onProgress?.({ part: 'events', done: 3, of: 7 });
      return new Promise((resolve) => (finish = () => resolve(WHOLE)));
    };
    const lines = verifyLines(verify, { tickMs: 1 });
    for (let n = 0; n < 3; n++)
      assert.equal((await lines.next()).value, '{"progress":{"part":"events","done":3,"of":7}}\n');
    finish();
    let last = '';
    for await (const line of lines) last = line;
    assert.deepEqual(JSON.parse(last), { verdict: WHOLE });
  });

  it('ends with the one who asked', async () => {
    let told: AbortSignal | undefined;
    const lines = verifyLines(
      ({ signal }) => {
        told = signal;
        return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('cut short'))));
      },
      { tickMs: 1 },
    );
    await lines.next();
    await lines.return(undefined);
    assert.equal(told?.aborted, true);
  });

  it('is what a server answers, in both forms', async (t) => {
    const server = await testServer();
    t.after(() => server.close());
    const { body } = await server.request('POST', '/v2/projects', { name: 'lab' });
    const { project_id } = body as { project_id: string };
    const at = `/v2/verify?project_id=${project_id}`;
    const plain = await server.request('GET', at);
    const answer = await fetch(`${server.url}${at}`, { headers: { accept: 'application/x-ndjson' } });
    assert.equal(answer.headers.get('content-type'), 'application/x-ndjson');
    const lines = (await answer.text()).trimEnd().split('\n');
    assert.deepEqual(JSON.parse(lines.at(-1) ?? ''), { verdict: plain.body });
    assert.equal((plain.body as { ok: boolean }).ok, true);
  });
});
