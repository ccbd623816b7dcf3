import { createStore } from '../../store/store.ts';
import type { Shape } from './shapes.ts';

/** What the next drag on the map draws; null: nothing. */
export const drawTool = createStore<Shape | null>(null);

/** The drawing that was asked to be edited: the bar beside it gets the focus once. */
export const edited = createStore<string | null>(null);
