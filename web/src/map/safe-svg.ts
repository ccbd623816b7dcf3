import DOMPurify from 'dompurify';

/** Pictures that a file may have inside itself. */
const INNER = /^(#|data:image\/(png|jpe?g|gif|webp);)/i;
/** What refers to something elsewhere in a style or a paint. */
const OUTER_URL = /url\(\s*(?!["']?#)/i;
const REFERENCES = new Set(['href', 'xlink:href', 'src']);
/** Longer ones are no drawings of people; 4 MiB have room for a photograph inside. */
const LONGEST = 4 * 1024 * 1024;

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
  const clean = purify.sanitize(svg, {
    USE_PROFILES: { svg: true, svgFilters: true },
    FORBID_TAGS: ['a', 'style', 'foreignObject', 'script', 'animate', 'set', 'animateTransform', 'animateMotion'],
    ADD_TAGS: ['use'],
    RETURN_DOM_FRAGMENT: true,
  });
  const root = clean.querySelector('svg');
  // As XML, which an image has to be.
  return root === null ? null : new XMLSerializer().serializeToString(root);
};

/** Address of the picture, or null; to be given back with URL.revokeObjectURL. */
export const pictureOf = (svg: string): string | null => {
  const safe = safeSvg(svg);
  return safe === null ? null : URL.createObjectURL(new Blob([safe], { type: 'image/svg+xml' }));
};
