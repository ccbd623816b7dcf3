import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { boundaryOf, partOf } from '../../src/http/multipart.ts';

/** The form in blocks of a size. */
async function* blocks(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const form = (content: Buffer, boundary: string, before = ''): Buffer =>
  Buffer.concat([
    Buffer.from(`${before}--${boundary}\r\nContent-Disposition: form-data; name="note"\r\n\r\nany text\r\n`),
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n`),
    Buffer.from('Content-Type: application/octet-stream\r\n\r\n'),
    content,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);

const fileIn = async (bytes: Buffer, boundary: string, size = 1000): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const part of partOf(blocks(bytes, size), boundary)) parts.push(Buffer.from(part));
  return Buffer.concat(parts);
};

describe('the file of a form', () => {
  it('is what was put in, wherever the blocks end and whatever it looks like', async () => {
    const piece = fc.constantFrom('\r\n', '--', 'b', '\r\n--', '\r\n--b', '\r', '\n', 'PK\x03\x04', '-', 'any text');
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 12 }).map((p) => p.join('')),
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom('', 'preamble\r\n'),
        async (text, size, before) => {
          const content = Buffer.from(text);
          const found = await fileIn(
            form(content, 'boundary-that-is-not-in-it', before),
            'boundary-that-is-not-in-it',
            size,
          );
          assert.deepEqual(found, content);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('is refused when the form breaks off anywhere before its end, and when there is none', async () => {
    const whole = form(Buffer.from('content'), 'b');
    const end = whole.indexOf('\r\n--b--');
    for (let length = 0; length <= end + 4; length += 7)
      await assert.rejects(fileIn(whole.subarray(0, length), 'b'), { code: 'invalid_request' });
    const other = Buffer.from('--b\r\nContent-Disposition: form-data; name="x"\r\n\r\nv\r\n--b--\r\n');
    await assert.rejects(fileIn(other, 'b'), /no field named file/);
    const endless = Buffer.concat([Buffer.from('--b\r\n'), Buffer.alloc(100_000, 'x')]);
    await assert.rejects(fileIn(endless, 'b'), /without an end/);
  });

  it('is looked for in forms only', () => {
    assert.equal(boundaryOf(''), null);
    assert.equal(boundaryOf('application/zip; boundary=x'), null);
    assert.equal(boundaryOf('multipart/form-data; boundary=abc'), 'abc');
    assert.equal(boundaryOf('Multipart/Form-Data; charset=utf-8; Boundary="a b"'), 'a b');
    assert.throws(() => boundaryOf('multipart/form-data'), /no boundary/);
  });
});
