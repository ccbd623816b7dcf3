import { baseline, escape, type Shape, textSize } from '../flow/shapes.ts';

/** What can be changed of a drawing that is one shape, or a text. */
interface Shown {
  readonly shape: Shape;
  /** Of the line, or of the letters, as `#rrggbb`; null: it is said in another way. */
  readonly stroke: string | null;
  /** Null: none. */
  readonly fill: string | null;
  readonly text: string;
}
export interface Change {
  readonly stroke?: string;
  readonly fill?: string | null;
  readonly text?: string;
}

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
const SHAPE = /^\s*<(rect|ellipse|line)\b([^<>]*?)\s*(?:\/>|>\s*<\/\1>)\s*$/i;
const TEXT = /<text\b([^<>]*)>([^<]*)<\/text>/gi;
const NAMES: Readonly<Record<string, Shape>> = { rect: 'rectangle', ellipse: 'ellipse', line: 'line' };

const partsOf = (svg: string): Parts | null => {
  if (svg.length > LONGEST) return null;
  const [, root = '', inner = ''] = ROOT.exec(svg) ?? [];
  const [, tag = '', own = ''] = SHAPE.exec(inner) ?? [];
  const shape = NAMES[tag.toLowerCase()];
  if (shape !== undefined) return isStyled(own) ? null : { shape, root, own, lines: [] };
  const texts = [...inner.matchAll(TEXT)];
  const [first] = texts;
  if (first === undefined || inner.replace(TEXT, '').trim() !== '') return null;
  const attributes = first[1] ?? '';
  const isOne = texts.every(([, one = '']) => without(one, 'y').trim() === without(attributes, 'y').trim());
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

/** Null: it is something else, that can only be looked at. */
export const readShape = (svg: string): Shown | null => {
  const parts = partsOf(svg);
  if (parts === null) return null;
  const { shape, own, lines } = parts;
  const fill = find(own, 'fill');
  if (shape === 'text') return { shape, stroke: colourOf(fill), fill: null, text: lines.join('\n') };
  const isFilled = shape !== 'line' && fill !== 'none' && fill !== 'transparent';
  return {
    shape,
    stroke: colourOf(find(own, 'stroke')),
    fill: isFilled ? (colourOf(fill) ?? '#000000') : null,
    text: '',
  };
};

/** The picture with the change; all else of it stays. As it was when it cannot be changed. */
export const editShape = (svg: string, change: Change): string => {
  const parts = partsOf(svg);
  if (parts === null) return svg;
  return parts.shape === 'text' ? editText(parts, change) : editForm(parts, change);
};

const TAGS: Readonly<Record<Exclude<Shape, 'text'>, string>> = { rectangle: 'rect', ellipse: 'ellipse', line: 'line' };

const editForm = ({ shape, root, own }: Parts, { stroke, fill }: Change): string => {
  if (shape === 'text') return '';
  let attributes = own;
  if (stroke !== undefined) attributes = put(attributes, 'stroke', stroke);
  if (fill !== undefined) attributes = put(attributes, 'fill', fill ?? 'none');
  if (typeof fill === 'string' && find(attributes, 'fill-opacity') === undefined)
    attributes = put(attributes, 'fill-opacity', '0.6');
  return `<svg${root}><${TAGS[shape]}${attributes}/></svg>`;
};

/** Pixels of a point. */
const POINT = 4 / 3;

const editText = ({ root, own, lines }: Parts, { stroke, text = lines.join('\n') }: Change): string => {
  const attributes = stroke === undefined ? own : put(own, 'fill', stroke);
  const size = Number.parseFloat(find(own, 'font-size') ?? '10') || 10;
  const isPlaced = find(own, 'y') !== undefined;
  const box = textSize({ text, fontSize: isPlaced ? size : size * POINT });
  const sized = text === lines.join('\n') ? root : put(put(root, 'width', `${box.width}`), 'height', `${box.height}`);
  // Texts of other editors are one element with all lines.
  if (!isPlaced) return `<svg${sized}><text${attributes}>${escape(text)}</text></svg>`;
  const written = text
    .split('\n')
    .map((line, index) => `<text${put(attributes, 'y', `${baseline(index, size)}`)}>${escape(line)}</text>`);
  return `<svg${sized}>${written.join('')}</svg>`;
};
