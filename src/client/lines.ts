/** Lines of a stream of UTF-8, without their ends. A caller that stops early cancels the stream. */
export async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let ended = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      const lines = rest.split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
      if (!done) continue;
      ended = true;
      if (rest !== '') yield rest;
      return;
    }
  } finally {
    if (!ended) await reader.cancel().catch(() => undefined);
  }
}
