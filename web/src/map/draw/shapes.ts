import { createStore } from '../../store/store.ts';
import type { Point } from '../actions/free-place.ts';

/** Drawings that the page can make, as SVG. */
export type Shape = 'rectangle' | 'ellipse' | 'line' | 'freehand' | 'text';

export interface Look {
  readonly width: number;
  readonly height: number;
  readonly stroke: string;
  /** Null: none. */
  readonly fill: string | null;
  readonly text: string;
  /** Pixels. */
  readonly fontSize: number;
  /** The line rises to the right. */
  readonly isRising?: boolean;
  /** Points of a line drawn by hand, relative to the drawing. */
  readonly points?: readonly Point[];
}

export const escape = (text: string): string =>
  text
    .replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '');

const paint = ({ stroke, fill }: Look): string =>
  `stroke="${escape(stroke)}" stroke-width="2" ${fill === null ? 'fill="none"' : `fill="${escape(fill)}" fill-opacity="0.6"`}`;

/** The drawing's picture. */
export const svgOf = (shape: Shape, look: Look): string => {
  const { width, height } = shape === 'text' ? textSize(look) : look;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${innerOf(shape, look)}</svg>`;
};

const innerOf = (shape: Shape, look: Look): string => {
  const { width, height } = look;
  const line = paint({ ...look, fill: null });
  switch (shape) {
    case 'rectangle':
      return `<rect x="1" y="1" width="${width - 2}" height="${height - 2}" ${paint(look)}/>`;
    case 'ellipse':
      return `<ellipse cx="${width / 2}" cy="${height / 2}" rx="${width / 2 - 1}" ry="${height / 2 - 1}" ${paint(look)}/>`;
    case 'line': {
      const [y1, y2] = look.isRising === true ? [height - 1, 1] : [1, height - 1];
      return `<line x1="1" y1="${y1}" x2="${width - 1}" y2="${y2}" ${line}/>`;
    }
    case 'freehand': {
      const path = (look.points ?? []).map(({ x, y }) => `${Math.round(x)} ${Math.round(y)}`).join('L');
      return `<path d="M${path}" ${line} stroke-linecap="round" stroke-linejoin="round"/>`;
    }
    case 'text':
      return linesOf(look)
        .map(
          (one, index) =>
            `<text x="2" y="${baseline(index, look.fontSize)}" font-family="sans-serif" font-size="${look.fontSize}" fill="${escape(look.stroke)}">${escape(one)}</text>`,
        )
        .join('');
  }
};

/** Height of a line of text, as a multiple of the font's size. */
const LINE = 1.3;
/** Baseline of a line of text, in pixels from the top. */
export const baseline = (index: number, fontSize: number): number =>
  Math.round((index + 1) * fontSize * LINE - fontSize * 0.25);

const linesOf = ({ text }: Pick<Look, 'text'>): string[] => text.split('\n');

export const textSize = (look: Pick<Look, 'text' | 'fontSize'>): { width: number; height: number } => {
  const lines = linesOf(look);
  const longest = Math.max(1, ...lines.map(({ length }) => length));
  return {
    width: Math.ceil(longest * look.fontSize * 0.62) + 6,
    height: Math.ceil(lines.length * look.fontSize * LINE) + 4,
  };
};

/** Shape that the next drag on the map draws; null: none. */
export const drawTool = createStore<Shape | null>(null);

/** The drawing that was asked to be edited: the bar beside it gets the focus once. */
export const editedDrawing = createStore<string | null>(null);
