/** Pixels. */
export const LEAST = 120;
const LEAST_WIDTH = 280;

/** Of the page’s height, that of the header and of the closed time line beside the map’s 60 %. */
const MAP_SHARE = 0.6;
const FRAME = 84;
/** Beside the dock the map keeps this share of the width. */
const MAP_WIDTH_SHARE = 0.4;

/** Leaves the map its share of the page. */
export const boundedHeight = (height: number, page: number): number =>
  Math.max(LEAST, Math.min(Math.floor(page * (1 - MAP_SHARE)) - FRAME, height));

/** `room`: what map and dock have together. */
export const boundedWidth = (width: number, room: number): number =>
  Math.max(LEAST_WIDTH, Math.min(Math.floor(room * (1 - MAP_WIDTH_SHARE)), width));
