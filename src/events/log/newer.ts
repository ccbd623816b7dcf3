import { conflict } from '../../common/errors.ts';
import { VERSION } from '../../common/package.ts';
import type { LogEvent } from '../event.ts';
import { eventTexts, startsAndStops } from '../read.ts';
import { EVENTS, isEventType } from '../schemas.ts';
import type { Store } from '../store/store.ts';

type Seen = Pick<LogEvent, 'position' | 'type' | 'v' | 'data'>;

/**
 * Finds events of a newer Topolog, which this one would take for damage, or not see. Sees the events since the last check. All the
 * others are looked at only where the last start was that of a newer version.
 */
export class NewerEvents {
  #writer: string | null = null;
  #unknown: Seen | null = null;

  see(event: Seen): void {
    if (event.type === 'server.started') this.#writer = versionIn(event.data) ?? this.#writer;
    if (this.#unknown === null && !isKnown(event)) this.#unknown = event;
  }

  /** Throws a conflict that says which version it takes. `checked`: up to here nothing was seen. */
  async refuse(store: Store, checked: number): Promise<void> {
    for await (const { data } of startsAndStops(store)) {
      this.#writer ??= versionIn(data);
      if (this.#writer !== null) break;
    }
    if (this.#unknown === null && this.#writer !== null && isNewer(this.#writer, VERSION))
      for await (const texts of eventTexts(store, 1, checked))
        for (const text of texts) this.see(JSON.parse(text) as LogEvent);
    if (this.#unknown === null) return;
    const { position, type, v } = this.#unknown;
    const [by, take] =
      this.#writer === null ? ['a newer Topolog', 'that one'] : [`Topolog ${this.#writer}`, `${this.#writer} or newer`];
    throw conflict(
      `the log was written by ${by}; this is ${VERSION}, which does not know event ${position} (${type}, version ${v}). Nothing was changed. Start ${take} again, or restore the backup from before the upgrade`,
    );
  }
}

const isKnown = ({ type, v }: Seen): boolean => isEventType(type) && v <= EVENTS[type].v;

const versionIn = (data: unknown): string | null => {
  const { version } = (data ?? {}) as { version?: unknown };
  return typeof version === 'string' ? version : null;
};

/** Whether a version comes after another (Semantic Versioning 2.0.0); builds between releases count as the release before. */
const isNewer = (version: string, than: string): boolean => {
  const numbers = (text: string): number[] => text.split(/[-+]/, 1)[0]?.split('.').map(Number) ?? [];
  const own = numbers(than);
  for (const [index, number] of numbers(version).entries())
    if (number !== (own[index] ?? 0)) return number > (own[index] ?? 0);
  return false;
};
