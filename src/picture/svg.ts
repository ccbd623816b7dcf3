export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
export interface Point {
  readonly x: number;
  readonly y: number;
}

export const middleOf = ({ x, y, width, height }: Box): Point => ({ x: x + width / 2, y: y + height / 2 });

/** The upright box around a box that is rotated about its upper left corner. */
export const turned = (box: Box, degrees: number): Box => {
  const angle = (degrees * Math.PI) / 180;
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  const { x, y, width, height } = box;
  const corners = [
    [0, 0],
    [width, 0],
    [0, height],
    [width, height],
  ].map(([a = 0, b = 0]) => ({ x: x + a * cos - b * sin, y: y + a * sin + b * cos, width: 0, height: 0 }));
  return covering(corners) ?? box;
};

/** The smallest box around others; null without any. */
export const covering = (boxes: readonly Box[]): Box | null => {
  if (boxes.length === 0) return null;
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y, width, height } of boxes) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + width);
    bottom = Math.max(bottom, y + height);
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
};

/** Escapes text for XML, between tags and in attributes. Characters that XML 1.0 does not allow are dropped. */
export const escapeXml = (text: string): string =>
  text
    .replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '');

/** A number with at most two decimals. */
export const num = (n: number): string => String(Math.round(n * 100) / 100);
