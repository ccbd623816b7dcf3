import { createStore } from '../store/store.ts';

/** The packet that a capture is to show when it is opened next; null: none. */
export const wantedPacket = createStore<{ readonly capture: string; readonly number: number } | null>(null);
