import type { Lab } from '../store/lab.ts';
import { createStore, type Store } from '../store/store.ts';
import { type FilterProblem, type Packet, type PacketPage, problemWith, readPage } from './server.ts';

/** Packets of a page. */
const PAGE = 200;
/** Between two looks at a capture that grows, or that the server has not looked through. Milliseconds. */
const AGAIN_MS = 700;
const SOON_MS = 200;

/** Known packets of a capture. */
export interface PacketPages {
  readonly progress: Omit<PacketPage, 'packets'> | null;
  readonly pages: ReadonlyMap<number, readonly Packet[]>;
  readonly problem: FilterProblem | null;
}

export const NO_PAGES: PacketPages = { progress: null, pages: new Map(), problem: null };

export const packetAt = ({ pages }: PacketPages, row: number): Packet | undefined =>
  pages.get(Math.floor(row / PAGE))?.[row % PAGE];

/** With what was answered. Where there are fewer than before, it is another file: nothing that was known is true. */
export const takePage = (before: PacketPages, page: number, { packets, ...progress }: PacketPage): PacketPages => {
  const isSame = before.progress === null || progress.found >= before.progress.found;
  return { progress, pages: new Map([...(isSame ? before.pages : []), [page, packets]]), problem: null };
};

/** A page that is wanted and not known, or that has got more since; null: none. */
export const missingPage = ({ progress, pages }: PacketPages, wanted: readonly number[]): number | null => {
  const found = progress?.found ?? 0;
  const isMissing = (page: number): boolean => (pages.get(page)?.length ?? 0) < Math.min(PAGE, found - page * PAGE);
  return wanted.find(isMissing) ?? null;
};

/** Reads a capture, as far as it is looked at. */
export interface PageReader {
  readonly state: Store<PacketPages>;
  /** These rows are in sight. */
  readonly look: (from: number, to: number) => void;
  readonly close: () => void;
}

export const readPages = (
  lab: Lab,
  { capture, filter, isGrowing }: { capture: string; filter: string; isGrowing: boolean },
): PageReader => {
  const state = createStore(NO_PAGES);
  const ending = new AbortController();
  let wanted: readonly number[] = [0];
  let timer: ReturnType<typeof setTimeout> | null = null;
  let isReading = false;
  const read = async (page: number): Promise<void> => {
    isReading = true;
    try {
      const asked = { filter, from: page * PAGE, count: PAGE };
      const answer = await readPage(lab, capture, asked, ending.signal);
      state.update((now) => takePage(now, page, answer));
    } catch (error) {
      if (ending.signal.aborted) return;
      state.update((now) => ({ ...now, problem: problemWith(error) }));
    } finally {
      isReading = false;
    }
    goOn();
  };
  const goOn = (): void => {
    if (timer !== null) clearTimeout(timer);
    if (ending.signal.aborted) return;
    const now = state.get();
    const missing = missingPage(now, wanted);
    if (missing !== null) return void read(missing);
    const isUnfinished = now.progress?.complete === false;
    // A file that is not there yet, with a capture that has just begun.
    if (!isUnfinished && !isGrowing) return;
    if (now.problem?.at === null || now.problem === null)
      timer = setTimeout(() => void read(wanted.at(-1) ?? 0), isUnfinished ? SOON_MS : AGAIN_MS);
  };
  void read(0);
  return {
    state,
    look(from, to) {
      const first = Math.floor(from / PAGE);
      wanted = Array.from(
        { length: Math.max(1, Math.floor(Math.max(0, to - 1) / PAGE) - first + 1) },
        (_, n) => first + n,
      );
      if (!isReading && missingPage(state.get(), wanted) !== null) goOn();
    },
    close() {
      ending.abort();
      if (timer !== null) clearTimeout(timer);
    },
  };
};

/** The packet that a capture is to show when it is opened next; null: none. */
export const wantedPacket = createStore<{ readonly capture: string; readonly number: number } | null>(null);
