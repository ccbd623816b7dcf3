import { baseline, escape, type Shape, textSize } from './shapes.ts';

/** The changeable parts of a drawing that is one shape, or a text. */
export interface Shown {
  readonly shape: Shape;
  /** Colour of the line, or of the letters, as `#rrggbb`; null: it is written in another way. */
  readonly stroke: string | null;
  /** Null: none. */
  readonly fill: string | null;
  /** Width of the line, pixels. */
  readonly lineWidth: number;
  /** As SVG has it; empty: none. */
  readonly dashes: string;
  /** From 0 to 1. */
  readonly opacity: number;
  readonly text: string;
  readonly font: string;
  readonly fontSize: number;
  readonly isBold: boolean;
  readonly align: Align;
}
export type Align = 'start' | 'middle' | 'end';
export type Change = Partial<Omit<Shown, 'shape' | 'stroke'>> & { readonly stroke?: string };

interface Parts {
  readonly shape: Shape;
  /** Attributes of the picture. */
  readonly root: string;
  /** Attributes of the shape, or of the first line. */
  readonly own: string;
  readonly lines: readonly string[];
}

/** Longer ones are no shapes; nothing is looked for in them. */
const LONGEST = 100_000;
const ROOT = /^\s*(?:<\?xml[^>]*\?>\s*)?<svg\b([^<>]*)>([^]*)<\/svg>\s*$/i;
/** Its attributes, with the slash of one that ends itself. */
const SHAPE = /^\s*<(rect|ellipse|line|path)\b([^<>]*)>(\s*<\/\1>)?\s*$/i;
const TEXT = /<text\b([^<>]*)>([^<]*)<\/text>/gi;
const NAMES: Readonly<Record<string, Shape>> = {
  rect: 'rectangle',
  ellipse: 'ellipse',
  line: 'line',
  path: 'freehand',
};

const partsOf = (svg: string): Parts | null => {
  if (svg.length > LONGEST) return null;
  const [, root = '', inner = ''] = ROOT.exec(svg) ?? [];
  const [, tag = '', given = '', end] = SHAPE.exec(inner) ?? [];
  const isClosed = given.endsWith('/');
  const own = (isClosed ? given.slice(0, -1) : given).trimEnd();
  const shape = NAMES[tag.toLowerCase()];
  if (shape !== undefined)
    return isStyled(own) || isClosed === (end !== undefined) ? null : { shape, root, own, lines: [] };
  const texts = [...inner.matchAll(TEXT)];
  const [first] = texts;
  if (first === undefined || inner.replace(TEXT, '').trim() !== '') return null;
  const attributes = first[1] ?? '';
  const all = without(attributes, 'y').trim();
  const isOne = texts.every(([, one = '']) => without(one, 'y').trim() === all);
  return isStyled(attributes) || !isOne
    ? null
    : { shape: 'text', root, own: attributes, lines: texts.map(([, , line = '']) => plain(line)) };
};

/** A style is stronger than the attributes that would be set. */
const isStyled = (attributes: string): boolean => /\s(style|class)\s*=/i.test(attributes);

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
const plain = (text: string): string =>
  text.replace(
    /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w{2,4}));/gi,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return ENTITIES[name] ?? whole;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : '';
    },
  );

const find = (attributes: string, name: string): string | undefined =>
  new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'i')
    .exec(attributes)
    ?.slice(1)
    .find((one) => one !== undefined);

const put = (attributes: string, name: string, value: string): string => {
  return `${without(attributes, name).trimEnd()} ${name}="${escape(value)}"`;
};

const without = (attributes: string, name: string): string =>
  attributes.replace(new RegExp(`(^|\\s)${name}\\s*=\\s*(?:"[^"]*"|'[^']*')`, 'gi'), '');

const COLOUR = /^#[\da-f]{6}$/i;
const colourOf = (value: string | undefined): string | null => {
  const long = /^#[\da-f]{3}$/i.test(value ?? '') ? value?.replace(/[\da-f]/gi, '$&$&') : value;
  return long !== undefined && COLOUR.test(long) ? long.toLowerCase() : null;
};

const numberOf = (attributes: string, name: string, fallback: number): number => {
  const value = Number.parseFloat(find(attributes, name) ?? '');
  return Number.isFinite(value) ? value : fallback;
};

/** Lines have no inside, even where they go round. */
const hasInside = (shape: Shape): boolean => shape === 'rectangle' || shape === 'ellipse';

/** Null: it is something else, that can only be looked at. */
export const readShape = (svg: string): Shown | null => {
  const parts = partsOf(svg);
  if (parts === null) return null;
  const { shape, own, lines } = parts;
  const fill = find(own, 'fill');
  const isText = shape === 'text';
  const isFilled = hasInside(shape) && fill !== 'none' && fill !== 'transparent';
  const anchor = find(own, 'text-anchor');
  return {
    shape,
    stroke: colourOf(isText ? fill : find(own, 'stroke')),
    fill: isFilled ? (colourOf(fill) ?? '#000000') : null,
    lineWidth: numberOf(own, 'stroke-width', 1),
    dashes: find(own, 'stroke-dasharray') ?? '',
    opacity: numberOf(own, isFilled || isText ? 'fill-opacity' : 'stroke-opacity', 1),
    text: lines.join('\n'),
    font: find(own, 'font-family') ?? '',
    fontSize: numberOf(own, 'font-size', 10),
    isBold: /^(bold|[6-9]00)$/.test(find(own, 'font-weight') ?? ''),
    align: anchor === 'middle' || anchor === 'end' ? anchor : 'start',
  };
};

/** The picture with the change; all else of it stays. As it was when it cannot be changed. */
export const editShape = (svg: string, change: Change): string => {
  const parts = partsOf(svg);
  if (parts === null) return svg;
  return parts.shape === 'text' ? editText(parts, change) : editForm(parts, change);
};

/** Attributes with those of them that have a value. */
const putAll = (attributes: string, values: Readonly<Record<string, string | number | undefined>>): string =>
  Object.entries(values).reduce(
    (now, [name, value]) => (value === undefined ? now : put(now, name, String(value))),
    attributes,
  );

const TAGS: Readonly<Record<Exclude<Shape, 'text'>, string>> = {
  rectangle: 'rect',
  ellipse: 'ellipse',
  line: 'line',
  freehand: 'path',
};

const editForm = ({ shape, root, own }: Parts, change: Change): string => {
  if (shape === 'text') return '';
  const { stroke, fill, lineWidth, dashes, opacity } = change;
  const isFirstFill = typeof fill === 'string' && find(own, 'fill-opacity') === undefined;
  let attributes = putAll(own, {
    stroke,
    fill: fill === null ? 'none' : fill,
    'fill-opacity': hasInside(shape) ? (opacity ?? (isFirstFill ? 0.6 : undefined)) : undefined,
    'stroke-opacity': hasInside(shape) ? undefined : opacity,
    'stroke-width': lineWidth,
  });
  if (dashes !== undefined)
    attributes = dashes === '' ? without(attributes, 'stroke-dasharray') : put(attributes, 'stroke-dasharray', dashes);
  return `<svg${root}><${TAGS[shape]}${attributes}/></svg>`;
};

/** Pixels of a point. */
const POINT = 4 / 3;

const editText = ({ root, own, lines }: Parts, change: Change): string => {
  const { stroke, text = lines.join('\n'), font, fontSize, isBold, align, opacity } = change;
  let attributes = putAll(own, {
    fill: stroke,
    'fill-opacity': opacity,
    'font-family': font,
    'font-size': fontSize,
    'font-weight': isBold === undefined ? undefined : isBold ? 'bold' : 'normal',
  });
  const size = numberOf(attributes, 'font-size', 10) || 10;
  const isPlaced = find(own, 'y') !== undefined || align !== undefined;
  const box = textSize({ text, fontSize: find(own, 'y') !== undefined ? size : size * POINT });
  const isSame = text === lines.join('\n') && fontSize === undefined && align === undefined;
  const sized = isSame ? root : put(put(root, 'width', `${box.width}`), 'height', `${box.height}`);
  // Texts of other editors are one element with all lines, and begin at the left.
  if (!isPlaced) return `<svg${sized}><text${attributes}>${escape(text)}</text></svg>`;
  const pixels = find(own, 'y') === undefined ? size * POINT : size;
  if (align !== undefined) {
    const x = { start: 2, middle: box.width / 2, end: box.width - 2 }[align];
    attributes = putAll(attributes, { x, 'text-anchor': align, 'font-size': pixels });
  } else if (!isSame) {
    const anchor = find(own, 'text-anchor');
    attributes = put(attributes, 'x', `${anchor === 'middle' ? box.width / 2 : anchor === 'end' ? box.width - 2 : 2}`);
  }
  const written = text
    .split('\n')
    .map((line, index) => `<text${put(attributes, 'y', `${baseline(index, pixels)}`)}>${escape(line)}</text>`);
  return `<svg${sized}>${written.join('')}</svg>`;
};

const scaled = (attributes: string, names: readonly string[], by: number): string =>
  names.reduce((now, name) => {
    const value = find(now, name);
    return value === undefined ? now : put(now, name, String(Math.round(Number.parseFloat(value) * by * 100) / 100));
  }, attributes);

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The picture as large as that. Shapes keep the width of their line, texts grow with their letters; anything else is stretched. */
export const resizeShape = (svg: string, from: Size, to: Size): string => {
  const [across, down] = [to.width / from.width, to.height / from.height];
  const parts = partsOf(svg);
  const [width, height] = [Math.round(to.width), Math.round(to.height)];
  const sizes = (root: string): string => put(put(root, 'width', `${width}`), 'height', `${height}`);
  if (parts?.shape === 'text') {
    const size = numberOf(parts.own, 'font-size', 10);
    return editShape(svg, { fontSize: Math.max(4, Math.round(size * Math.max(across, down) * 10) / 10) });
  }
  if (parts !== null && parts.shape !== 'freehand' && find(parts.root, 'viewBox') === undefined) {
    const { shape, root, own } = parts;
    const inset = numberOf(own, 'stroke-width', 1) / 2;
    const inside = {
      rectangle: () => putAll(own, { x: inset, y: inset, width: width - 2 * inset, height: height - 2 * inset }),
      ellipse: () => putAll(own, { cx: width / 2, cy: height / 2, rx: width / 2 - inset, ry: height / 2 - inset }),
      line: () => scaled(scaled(own, ['x1', 'x2'], across), ['y1', 'y2'], down),
    } as const;
    return `<svg${sizes(root)}><${TAGS[shape]}${inside[shape]()}/></svg>`;
  }
  return svg.replace(/<svg\b([^<>]*)>/i, (_whole, root: string) => {
    const boxed = find(root, 'viewBox') === undefined ? put(root, 'viewBox', `0 0 ${from.width} ${from.height}`) : root;
    return `<svg${sizes(put(boxed, 'preserveAspectRatio', 'none'))}>`;
  });
};
