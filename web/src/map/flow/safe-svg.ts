import DOMPurify from 'dompurify';
import { withoutHandlers } from '../draw/without-handlers.ts';
import { drawnSize } from './drawing-size.ts';
import { familyOf } from './label-style.ts';

/** Pictures that a file may have inside itself. */
const INNER = /^(#|data:image\/(png|jpe?g|gif|webp);)/i;
/** References to other documents in a style or a paint. */
const OUTER_URL = /url\(\s*(?!["']?#)/i;
const REFERENCES = new Set(['href', 'xlink:href', 'src']);
/** Longer ones are no drawings of people; 4 MiB have room for a photograph inside. */
const LONGEST = 4 * 1024 * 1024;

/** Characters of one text that are laid out. */
const LONGEST_TEXT = 10_000;

const purify = DOMPurify(window);
purify.addHook('uponSanitizeAttribute', (_element, data) => {
  const value = data.attrValue.replace(/[\s\p{Cc}]/gu, '');
  if (REFERENCES.has(data.attrName) ? !INNER.test(value) : OUTER_URL.test(value)) data.keepAttr = false;
});

/**
 * An SVG of somebody's file as one that does nothing: no script, no handler, no foreign content, nothing from elsewhere. Null when nothing
 * is left of it. It is to be shown in an `<img>` even so.
 */
export const safeSvg = (svg: string): string | null => {
  if (svg.length > LONGEST) return null;
  const clean = purify.sanitize(withoutHandlers(svg), {
    USE_PROFILES: { svg: true, svgFilters: true },
    FORBID_TAGS: ['a', 'style', 'foreignObject', 'script', 'animate', 'set', 'animateTransform', 'animateMotion'],
    ADD_TAGS: ['use'],
    RETURN_DOM_FRAGMENT: true,
  });
  const root = clean.querySelector('svg');
  if (root === null) return null;
  const texts = root.querySelectorAll('text:not([y])');
  for (const text of texts) setLines(text);
  if (texts.length > 0 && !root.hasAttribute('viewBox')) {
    const { width, height } = drawnSize(svg);
    root.setAttribute('width', `${width}`);
    root.setAttribute('height', `${height}`);
  }
  // As XML, which an image has to be.
  return new XMLSerializer().serializeToString(root);
};

/** Texts of other editors begin at the top, have sizes in points, and their lines as lines. */
const setLines = (text: Element): void => {
  const lines = (text.textContent ?? '').slice(0, LONGEST_TEXT).split('\n');
  const size = text.getAttribute('font-size') ?? '10';
  if (/^[\d.]+$/.test(size)) text.setAttribute('font-size', `${size}pt`);
  text.setAttribute('font-family', familyOf(text.getAttribute('font-family')));
  text.replaceChildren(
    ...lines.map((line, index) => {
      const span = document.createElementNS('http://www.w3.org/2000/svg', 'tspan');
      span.setAttribute('x', '0');
      span.setAttribute('y', `${(index * 1.25 + 1).toFixed(2)}em`);
      span.textContent = line;
      return span;
    }),
  );
};

/** Address of the picture, or null; to be given back with URL.revokeObjectURL. */
export const pictureOf = (svg: string): string | null => {
  const safe = safeSvg(svg);
  return safe === null ? null : URL.createObjectURL(new Blob([safe], { type: 'image/svg+xml' }));
};

const shown = new Map<string, { readonly url: string | null; count: number }>();

/** The same, one for all that are drawn the same; to be given back with `returnPicture`. */
export const takePicture = (svg: string): string | null => {
  const picture = shown.get(svg) ?? { url: pictureOf(svg), count: 0 };
  picture.count += 1;
  shown.set(svg, picture);
  return picture.url;
};

export const returnPicture = (svg: string): void => {
  const picture = shown.get(svg);
  if (picture === undefined) return;
  picture.count -= 1;
  if (picture.count > 0) return;
  shown.delete(svg);
  if (picture.url !== null) URL.revokeObjectURL(picture.url);
};
