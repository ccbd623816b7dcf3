import assert from 'node:assert/strict';

export interface CastEvent {
  code: string;
  text: string;
  /** Milliseconds since 1970. */
  at: number;
}

export interface Cast {
  header: Record<string, unknown> & { topolog: { node_id: string; project_id: string; started_at: string } };
  events: CastEvent[];
}

/** Reads a recording by the format's description (docs.asciinema.org/manual/asciicast/v3), not by the code under test. */
export const readCast = (text: string): Cast => {
  assert.ok(text.endsWith('\n'), 'a line is torn');
  const [first = '', ...lines] = text.slice(0, -1).split('\n');
  const header = JSON.parse(first) as Cast['header'];
  assert.equal(header['version'], 3);
  const { cols, rows } = header['term'] as { cols: number; rows: number };
  assert.ok(cols > 0 && rows > 0);
  let at = Date.parse(header.topolog.started_at);
  assert.equal(header['timestamp'], Math.floor(at / 1000));
  const events = lines.map((line): CastEvent => {
    const [interval, code, data, ...more] = JSON.parse(line) as [number, string, string];
    assert.ok(typeof interval === 'number' && interval >= 0 && more.length === 0, line);
    assert.ok(['o', 'i', 'm', 'x'].includes(code) && typeof data === 'string', line);
    at = Math.round(at + interval * 1000);
    return { code, text: data, at };
  });
  return { header, events };
};

/** All that was printed (`o`) or typed (`i`). */
export const textOf = ({ events }: Cast, code: 'o' | 'i'): string =>
  events
    .filter((event) => event.code === code)
    .map(({ text }) => text)
    .join('');
