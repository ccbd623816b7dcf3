import type { ShownField } from '../fields/tree.ts';

const TAG = /<(\/?)(proto|field)\b((?:\s+[\w.]+="[^"]*")*)\s*(\/?)>/g;
const ATTRIBUTE = /(?<![\w.])([\w.]+)="([^"]*)"/g;
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
/** A frame with more of them is cut short. */
const MOST_FIELDS = 5_000;

/** Tree of fields of the first packet of a PDML document. What is hidden there stays hidden. */
export const readPdml = (text: string): ShownField[] => {
  const root: ShownField[] = [];
  const open: ShownField[][] = [root];
  let count = 0;
  for (const [, closing, , attributes = '', selfClosing] of text.matchAll(TAG)) {
    if (closing === '/') {
      if (open.length > 1) open.pop();
      continue;
    }
    if (++count > MOST_FIELDS) break;
    const given = Object.fromEntries(
      [...attributes.matchAll(ATTRIBUTE)].map(([, name = '', value = '']) => [name, plain(value)]),
    );
    const field = fieldOf(given);
    if (given['hide'] !== 'yes' && given['name'] !== 'geninfo') open.at(-1)?.push(field);
    if (selfClosing !== '/') open.push(field.fields);
  }
  return root;
};

const fieldOf = (given: Readonly<Record<string, string>>): ShownField => {
  const said = given['showname'] ?? given['show'] ?? given['name'] ?? '';
  const colon = said.indexOf(': ');
  const isLeaf = colon > 0;
  return {
    name: given['name'] ?? '',
    label: isLeaf ? said.slice(0, colon) : said,
    text: isLeaf ? said.slice(colon + 2) : '',
    at: Number(given['pos'] ?? 0),
    length: Number(given['size'] ?? 0),
    fields: [],
  };
};

const plain = (text: string): string =>
  text.replaceAll(
    /&(?:(lt|gt|quot|apos|amp)|#x([0-9a-f]{1,6})|#(\d{1,7}));/gi,
    (all, name?: string, hex?: string, number?: string) => {
      if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? all;
      const code = hex === undefined ? Number(number) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : all;
    },
  );
