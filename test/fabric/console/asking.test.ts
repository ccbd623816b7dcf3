import assert from 'node:assert/strict';
import { after, describe, it, mock } from 'node:test';
import { Duplex } from 'node:stream';
import { createConsoleQuestions } from '../../../src/fabric/console/questions.ts';
import { createConsole } from '../../../src/fabric/console/broker.ts';
import type { ConsoleHandle, ConsoleSink } from '../../../src/fabric/console/console.ts';
import type { FabricEvent } from '../../../src/fabric/protocol.ts';

type Answered = Extract<FabricEvent, { type: 'console.answered' }>;

/** A node that echoes what is typed, and answers each line. */
class Shell implements ConsoleSink {
  output: ConsoleSink['output'] = () => undefined;
  typed = '';

  input(bytes: Uint8Array): void {
    const text = Buffer.from(bytes).toString();
    this.typed += text;
    this.output(Buffer.from(text.replace('\r', '\r\n')));
    if (text.endsWith('\r')) this.output(Buffer.from('\u001b[1mneighbour is Full\u001b[0m\r\nR1> '));
  }
}

const open: ConsoleHandle[] = [];
after(() => Promise.all(open.map((console) => console.close())));

const consoleOf = async (): Promise<{
  shell: Shell;
  console: ConsoleHandle;
  ask: (more: object) => Promise<Answered>;
}> => {
  const shell = new Shell();
  const request = { nodeId: 'n', name: 'R1', host: '127.0.0.1', port: 0, range: [20_000, 30_000] as [number, number] };
  const console = await createConsole({ ...request, sink: shell });
  open.push(console);
  const ask = (more: object): Promise<Answered> =>
    new Promise((resolve) => {
      const asking = createConsoleQuestions({ consoleOf: () => console, emit: (event) => resolve(event as Answered) });
      asking({ question_id: 'q', node_id: 'n', type: 'show neighbor', until: 'Full', timeout_ms: 10_000, ...more });
    });
  return { shell, console, ask };
};

describe('a question at a console', { timeout: 30_000 }, () => {
  it('is typed as a line, and its answer is what follows, without what colours it', async () => {
    const { shell, ask } = await consoleOf();
    const { isFound, text, problem } = await ask({});
    assert.deepEqual([isFound, text, problem], [true, 'neighbour is Full\nR1> ', null]);
    assert.equal(shell.typed, 'show neighbor\r');
  });

  it('does not take what it typed for an answer', async () => {
    const { ask } = await consoleOf();
    assert.equal((await ask({ until: 'neighbor$' })).isFound, false);
  });

  it('types nothing while somebody is in the middle of a line', async () => {
    const { shell, console, ask } = await consoleOf();
    // It says what is pushed, and nothing of what it is shown.
    const client = new Duplex({ read: () => undefined, write: (_block, _encoding, done) => done() });
    console.attach(client);
    const heard = new Promise<void>((resolve) => {
      const left = new AbortController();
      const typed = (): void => resolve(left.abort());
      console.join({ output: () => undefined, typed }, left.signal);
    });
    client.push('sho');
    await heard;
    const { isFound, problem } = await ask({});
    assert.deepEqual([isFound, problem], [false, 'somebody types there']);
    assert.equal(shell.typed, 'sho');
  });

  it('waits for what takes long as long as it is told to', async () => {
    const { shell, ask } = await consoleOf();
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const answer = ask({ until: 'received', silence_ms: 4_000 });
      // The line is typed a turn later.
      while (shell.typed === '') await new Promise(setImmediate);
      mock.timers.tick(3_900);
      shell.output(Buffer.from('0 received\r\n'));
      mock.timers.tick(50);
      assert.equal((await answer).isFound, true);
    } finally {
      mock.timers.reset();
    }
  });

  it('is searched in slices, and given up where its pattern is too much work', async () => {
    const { shell, ask } = await consoleOf();
    shell.output(Buffer.from('a'.repeat(60_000)));
    let turns = 0;
    let isOver = false;
    const others = (): void => {
      turns += 1;
      if (!isOver) setImmediate(others);
    };
    setImmediate(others);
    const { isFound, problem } = await ask({ type: null, until: '(?:a?){1000}b' });
    isOver = true;
    assert.deepEqual([isFound, problem], [false, 'its pattern is too much work for what the console shows']);
    // Ten million steps, ten thousand in a piece, and each turn has some milliseconds of them.
    assert.ok(turns > 5, `${turns} turns`);
    const fine = await ask({ type: null, until: '(a|a)*b' });
    assert.deepEqual([fine.isFound, fine.problem], [false, null]);
  });

  it('says why it cannot be asked', async () => {
    const { shell, ask } = await consoleOf();
    const { isFound, problem } = await ask({ until: 'a(?=b)' });
    assert.equal(isFound, false);
    assert.match(problem ?? '', /^must be a regular expression without lookahead/);
    assert.equal(shell.typed, '');
  });

  it('reads what is there where nothing is typed', async () => {
    const { shell, ask } = await consoleOf();
    shell.output(Buffer.from('booted\r\n'));
    const { isFound, text } = await ask({ type: null, until: '^booted$' });
    assert.deepEqual([isFound, text], [true, 'booted\n']);
    assert.equal(shell.typed, '');
  });
});
