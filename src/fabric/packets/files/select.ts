import { setImmediate as untilImmediate } from 'node:timers/promises';
import { FilterError } from '../filter/filter.ts';
import { type Match, matcherOf } from '../filter/match.ts';
import { parseFilter, UnknownField } from '../filter/parse.ts';
import { dissect } from '../fields/dissect.ts';
import type { CapturedFrame } from '../packet.ts';
import { summarise } from '../summary.ts';
import type { CaptureIndex } from './capture-index.ts';
import type { Selection } from './selection.ts';
import type { Tshark } from './tshark.ts';

/** Selects frames by a filter; tries tshark, where it is installed, for a filter that Topolog does not understand. Throws `FilterError`. */
export const select = async (index: CaptureIndex, text: string, tshark: Tshark): Promise<Selection> => {
  try {
    const filter = parseFilter(text);
    return filter === null ? everything(index) : new OwnSelection(index, matcherOf(filter));
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    const selection = await tshark.select(index, text);
    // When neither understands it, tshark's error counts only for a field unknown to Topolog.
    if (selection === null || (selection instanceof FilterError && !(error instanceof UnknownField))) throw error;
    if (selection instanceof FilterError) throw new FilterError(selection.message, error.at, error.length);
    return selection;
  }
};

const everything = (index: CaptureIndex): Selection => ({
  decodedBy: 'topolog',
  numbers: null,
  get scanned() {
    return index.count;
  },
  grow: () => Promise.resolve(),
});

const matches = (match: Match, linkType: number, frame: CapturedFrame): boolean =>
  match({
    fields: dissect(linkType, frame),
    bytes: frame.bytes,
    line: () => {
      const { source, destination, protocol, summary } = summarise(linkType, frame.bytes);
      return `${source} ${destination} ${protocol} ${summary}`;
    },
  });

class OwnSelection implements Selection {
  readonly decodedBy = 'topolog';
  readonly numbers: number[] = [];
  scanned = 0;
  readonly #index: CaptureIndex;
  readonly #match: Match;
  #growing: Promise<void> = Promise.resolve();

  constructor(index: CaptureIndex, match: Match) {
    [this.#index, this.#match] = [index, match];
  }

  grow(patience: number): Promise<void> {
    const until = performance.now() + patience;
    this.#growing = this.#growing.catch(() => undefined).then(() => this.#grow(until));
    return this.#growing;
  }

  async #grow(until: number): Promise<void> {
    if (this.scanned >= this.#index.count) return;
    for await (const frames of this.#index.from(this.scanned + 1)) {
      for (const frame of frames)
        if (matches(this.#match, this.#index.linkType, frame)) this.numbers.push(frame.number);
      this.scanned = frames.at(-1)?.number ?? this.#index.count;
      if (frames.length === 0 || performance.now() > until) return;
      await untilImmediate();
    }
  }
}
