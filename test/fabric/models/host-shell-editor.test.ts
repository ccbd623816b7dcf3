import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Key, KeyDecoder } from '../../../src/fabric/models/host/shell/keys.ts';
import { edit, EMPTY_EDITOR, type EditorState } from '../../../src/fabric/models/host/shell/line-editor.ts';

const OPTIONS = {
  prompt: '> ',
  complete: (prefix: string) => ['save', 'set', 'show', 'ping'].filter((name) => name.startsWith(prefix)),
};

const LEFT = '\x1b[D';
const UP = '\x1b[A';
const DOWN = '\x1b[B';

interface Session {
  state: EditorState;
  lines: string[];
  output: string;
}

function type(text: string | Uint8Array, state = EMPTY_EDITOR): Session {
  const decoder = new KeyDecoder();
  const session: Session = { state, lines: [], output: '' };
  for (const byte of Buffer.from(text)) {
    const key = decoder.push(byte);
    if (key === null) continue;
    const done = edit(session.state, key, OPTIONS);
    session.state = done.state;
    session.output += done.output;
    if (typeof done.event === 'object') session.lines.push(done.event.line);
  }
  return session;
}

/** What one row of a terminal shows and where its cursor is, for text, \b and cells two columns wide. */
function screen(output: string): { text: string; column: number } {
  const cells: string[] = [];
  let column = 0;
  for (const char of output) {
    if (char === '\x07') continue;
    if (char === '\b') column -= 1;
    else if (char === '\u0301') cells[column - 1] = (cells[column - 1] ?? '') + char;
    else {
      cells[column++] = char;
      if (char === '日') cells[column++] = '';
    }
  }
  return { text: cells.join('').trimEnd(), column };
}

describe('the line editor', () => {
  const cases: [string, string, string][] = [
    ['backspace and DEL', 'abx\x7fcy\b', 'abc'],
    ['insertion in the middle', `ac${LEFT}b`, 'abc'],
    ['Home and End of several terminals', 'b\x1b[Ha\x1b[Fc\x1b[1~<\x1b[4~>\x1bOH(\x1bOF)', '(<abc>)'],
    ['Ctrl-A and Ctrl-E', 'b\x01a\x05c', 'abc'],
    ['Ctrl-B and Ctrl-F', 'ac\x02b\x06d', 'abcd'],
    ['Ctrl-U left of the cursor', `abc${LEFT}\x15`, 'c'],
    ['Ctrl-K right of the cursor', `abc${LEFT}\x0b`, 'ab'],
    ['Ctrl-W a word with its spaces', 'ping 10.0.0.1  \x17x', 'ping x'],
    ['Ctrl-D and Delete under the cursor', `abc${LEFT}${LEFT}\x04${LEFT}\x1b[3~`, 'c'],
    ['unknown sequences', 'a\x1b[5~\x1b[1;5C\x1bxb', 'ab'],
    ['UTF-8, a character at a time', 'Grüße日\x7f!', 'Grüße!'],
    ['completion of the only choice', 'pi\t10.0.0.1', 'ping 10.0.0.1'],
  ];
  for (const [name, typed, line] of cases) {
    it(`knows ${name}`, () => assert.deepEqual(type(`${typed}\r`).lines, [line]));
  }

  it('takes CR, LF, CR LF and CR NUL as one Enter each', () => {
    assert.deepEqual(type('a\rb\nc\r\nd\r\0e\r').lines, ['a', 'b', 'c', 'd', 'e']);
  });

  it('drops the line on Ctrl-C', () => {
    const { state, output } = type('abc\x03');
    assert.deepEqual([state.chars, output], [[], 'abc^C\r\n']);
  });

  it('does nothing on Ctrl-D in an empty line', () => {
    assert.deepEqual(type('\x04'), { state: EMPTY_EDITOR, lines: [], output: '' });
  });

  it('redraws on Ctrl-L with the cursor in its place', () => {
    assert.equal(type(`abc${LEFT}\x0c`).output, 'abc\b\x1b[H\x1b[2J> abc\b');
  });

  it('lists several completions and completes what they share', () => {
    assert.equal(type('s\t').output, 's\r\nsave  set  show\r\n> s');
    assert.equal(type('sho\t').output, 'show ');
    assert.equal(type('x\t').output, 'x\x07');
  });

  it('recalls lines and keeps the one that was begun', () => {
    const { state } = type('one\rtwo\r');
    assert.deepEqual(type(`begun${UP}${UP}\r`, state).lines, ['one']);
    assert.deepEqual(type(`begun${UP}${UP}${DOWN}${DOWN}\r`, state).lines, ['begun']);
    assert.deepEqual(type(`${UP}x\r${UP}\r`, state).lines, ['twox', 'twox']);
  });

  it('keeps at most 50 lines, none twice in a row and none empty', () => {
    const { state } = type(`a\ra\r\r  \r${Array.from({ length: 60 }, (_, i) => `line ${i}\r`).join('')}`);
    assert.equal(state.history.length, 50);
    assert.equal(state.history[0], 'line 10');
    assert.deepEqual(type('a\ra\r\r \rb\ra\r').state.history, ['a', 'b', 'a']);
  });

  it('bounds the line', () => {
    assert.equal(type('x'.repeat(2000)).state.chars.length, 512);
  });

  it('shows on the terminal exactly the line and the cursor it has', () => {
    const key = fc.constantFrom<Key>(
      ...['a', 'b', ' ', 'ü', '日'].map((text) => ({ text })),
      ...(['backspace', 'delete', 'left', 'right', 'up', 'down', 'home', 'end'] as const).map((name) => ({ name })),
      ...(['erase_to_start', 'erase_to_end', 'erase_word'] as const).map((name) => ({ name })),
    );
    const start = type('old line\rlonger 日 line\r').state;
    fc.assert(
      fc.property(fc.array(key, { maxLength: 60 }), (keys) => {
        let state = start;
        let output = '|';
        for (const k of keys) {
          const done = edit(state, k, OPTIONS);
          state = done.state;
          output += done.output;
        }
        const shown = screen(output);
        const columns = (chars: readonly string[]): number => chars.reduce((n, c) => n + (c === '日' ? 2 : 1), 1);
        assert.equal(shown.text, `|${state.chars.join('')}`.trimEnd());
        assert.equal(shown.column, columns(state.chars.slice(0, state.cursor)));
      }),
      { numRuns: 300 },
    );
  });

  it('gives a combining mark no column of its own', () => {
    assert.equal(screen(type('ae\u0301').output).text, 'ae\u0301');
    assert.equal(screen(type('ae\u0301\x7f').output).text, 'ae');
    assert.equal(screen(type(`ae\u0301x${LEFT.repeat(3)}b`).output).text, 'abe\u0301x');
  });

  it('survives any bytes, in any pieces', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const { state, output } = type(bytes);
        assert.ok(state.cursor >= 0 && state.cursor <= state.chars.length);
        // Nothing typed may act on the terminals of the others: only the editor's own \b and clear screen do.
        assert.doesNotMatch(output.replaceAll('\x1b[H\x1b[2J', ''), /[\x00-\x06\x09\x0b\x0c\x0e-\x1f\x7f-\x9f]/);
      }),
      { numRuns: 500 },
    );
  });
});
