import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { ApiError } from 'topolog/client';
import { merge } from '../src/notes/merge.ts';
import { createNotes, type Draft, draftsIn } from '../src/notes/notes.ts';
import { withTaskTurned } from '../src/notes/tasks.ts';
import type { Lab } from '../src/store/lab.ts';
import type { Frame } from '../src/store/records.ts';

describe('notes that two have changed', () => {
  const base = 'one\ntwo\nthree\nfour';

  it('are put together where they have changed different lines', () => {
    assert.deepEqual(merge(base, 'ONE\ntwo\nthree\nfour', 'one\ntwo\nthree\nFOUR\nfive'), {
      text: 'ONE\ntwo\nthree\nFOUR\nfive',
      clash: null,
    });
    assert.deepEqual(merge(base, 'one\ntwo\nthree\nfour\nmine', 'zero\none\ntwo\nthree\nfour'), {
      text: 'zero\none\ntwo\nthree\nfour\nmine',
      clash: null,
    });
    assert.deepEqual(merge(base, base, 'else'), { text: 'else', clash: null });
    assert.deepEqual(merge(base, 'mine', base), { text: 'mine', clash: null });
    assert.deepEqual(merge(base, 'same', 'same'), { text: 'same', clash: null });
  });

  it('keep what both have added at the same place', () => {
    const { text, clash } = merge('a', 'a\nmine', 'a\ntheirs');
    assert.equal(clash, null);
    assert.equal(text, 'a\ntheirs\nmine');
  });

  it('clash where both have changed the same line, and then nothing of either is lost', () => {
    const { text, clash } = merge(base, 'one\nmine\nthree\nfour', 'one\ntheirs\nthree\nFOUR');
    assert.deepEqual(clash, { mine: 'mine\nthree\nfour', theirs: 'theirs\nthree\nFOUR' });
    for (const line of ['one', 'mine', 'theirs', 'FOUR', 'four']) assert.ok(text.split('\n').includes(line), line);
  });
});

describe('tasks in notes', () => {
  const text = '- [ ] first\n  1. [x] second\n> * [X] third\n```\n- [ ] code\n```\n- [] none\n+ [ ] last';

  it('are done and undone in the text, also in lists within others, not in code', () => {
    assert.equal(withTaskTurned(text, 0, 4)?.split('\n')[0], '- [x] first');
    assert.equal(withTaskTurned(text, 1, 4)?.split('\n')[1], '  1. [ ] second');
    assert.equal(withTaskTurned(text, 2, 4)?.split('\n')[2], '> * [ ] third');
    assert.equal(withTaskTurned(text, 3, 4)?.split('\n').at(-1), '+ [x] last');
  });

  it('are left alone when it is not known which one is meant', () => {
    assert.equal(withTaskTurned(text, 0, 3), null);
    assert.equal(withTaskTurned(text, 9, 4), null);
  });
});

const tagOf = (text: string): string => `"${createHash('sha256').update(text).digest('hex')}"`;

/** A server with one file, which refuses what was not made of it. */
const labWith = (first: string) => {
  const server = { text: first, isAway: false, writes: 0, before: null as (() => void) | null };
  let tell: (frame: Frame) => void = () => undefined;
  const request = async () => {
    if (server.isAway) throw new TypeError('nobody answers');
    return { body: new Response(server.text).body, etag: tagOf(server.text) };
  };
  const post = async (_path: string, { body, headers }: { body: string; headers: Record<string, string> }) => {
    if (server.isAway) throw new TypeError('nobody answers');
    server.before?.();
    server.before = null;
    if (headers['If-Match'] !== tagOf(server.text))
      throw new ApiError(new Response(null, { status: 412 }), 'POST', { message: 'changed', status: 412 });
    server.text = body;
    server.writes += 1;
  };
  const lab = {
    ...{ projectId: 'p', client: { request, post } },
    listen: (listener: typeof tell) => {
      tell = listener;
      return () => undefined;
    },
  } as unknown as Lab;
  /** Somebody else writes, and the feed tells of it. */
  const write = (text: string): void => {
    server.text = text;
    const sha256 = tagOf(text).slice(1, -1);
    tell({ action: 'file.written', event: { node_id: null, path: 'README.txt', bytes: 1, sha256 }, position: 1 });
  };
  return { lab, server, write };
};
const draftsWith = (draft: Draft | null = null) => {
  const kept = new Map<string, string>(draft === null ? [] : [['topolog.notes.p', JSON.stringify(draft)]]);
  return draftsIn(
    {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => void kept.set(key, value),
      removeItem: (key) => void kept.delete(key),
    },
    'p',
  );
};

describe('the notes of a lab', () => {
  it('are read, and written over what was read', async () => {
    const { lab, server } = labWith('old');
    const notes = createNotes(lab, draftsWith());
    await notes.flush();
    assert.deepEqual([notes.state.get().text, notes.state.get().status], ['old', 'saved']);
    notes.edit('new');
    assert.equal(notes.state.get().status, 'unsaved');
    await notes.flush();
    assert.deepEqual([server.text, notes.state.get().status, server.writes], ['new', 'saved', 1]);
    await notes.flush();
    assert.equal(server.writes, 1);
    notes.close();
  });

  it('follow what others write, with what one types oneself', async () => {
    const { lab, server, write } = labWith('a\nb\nc');
    const notes = createNotes(lab, draftsWith());
    await notes.flush();
    write('A\nb\nc');
    await notes.flush();
    assert.equal(notes.state.get().text, 'A\nb\nc');
    notes.edit('A\nb\nmine');
    write('theirs\nb\nc');
    await notes.flush();
    assert.deepEqual([server.text, notes.state.get().status], ['theirs\nb\nmine', 'saved']);
    notes.close();
  });

  it('are looked at until the file has what the feed has told of, however slow the disk is', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { lab, server, write } = labWith('');
    const notes = createNotes(lab, draftsWith());
    await notes.flush();
    write('late');
    server.text = '';
    const look = async (): Promise<string> => {
      t.mock.timers.tick(15_000);
      await notes.flush();
      return notes.state.get().text;
    };
    for (let n = 0; n < 6; n++) assert.equal(await look(), '');
    server.text = 'late';
    assert.equal(await look(), 'late');
    notes.close();
  });

  it('are put together again when somebody was faster', async () => {
    const { lab, server } = labWith('a\nb\nc');
    const notes = createNotes(lab, draftsWith());
    await notes.flush();
    server.before = () => {
      server.text = 'first\nb\nc';
    };
    notes.edit('a\nb\nmine');
    await notes.flush();
    assert.equal(notes.state.get().text, 'first\nb\nmine');
    await notes.flush();
    assert.equal(server.text, 'first\nb\nmine');
    notes.close();
  });

  it('wait for a word when two have changed the same line', async () => {
    for (const [how, wanted] of [
      ['both', 'theirs\nmine'],
      ['mine', 'mine'],
      ['theirs', 'theirs'],
    ] as const) {
      const { lab, server, write } = labWith('one');
      const drafts = draftsWith();
      const notes = createNotes(lab, drafts);
      await notes.flush();
      notes.edit('mine');
      write('theirs');
      await notes.flush();
      const { conflict } = notes.state.get();
      assert.deepEqual([conflict?.mine, conflict?.theirs, server.text], ['mine', 'theirs', 'theirs']);
      // Who leaves now finds it again.
      assert.equal(drafts.read()?.text, 'mine');
      notes.settle(how);
      await notes.flush();
      assert.deepEqual([server.text, notes.state.get().conflict], [wanted, null]);
      assert.equal(drafts.read(), null);
      notes.close();
    }
  });

  it('keep in the browser what the server could not be given, and go on with it', async () => {
    const { lab, server } = labWith('one\ntwo');
    const drafts = draftsWith();
    const notes = createNotes(lab, drafts);
    await notes.flush();
    server.isAway = true;
    notes.edit('one\nmine');
    await notes.flush();
    assert.equal(notes.state.get().problem, 'The server does not answer.');
    assert.equal(notes.state.get().status, 'unsaved');
    notes.close();
    await notes.flush();
    server.isAway = false;
    server.text = 'theirs\ntwo';
    const again = createNotes(lab, drafts);
    await again.flush();
    assert.deepEqual([server.text, drafts.read()], ['theirs\nmine', null]);
    again.close();
  });
});
