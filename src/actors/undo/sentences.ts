import type { Left, LeftReason } from './interface.ts';

/** As many are named. */
const MOST = 3;

/** What stays as it is, and why, as a sentence. */
export const sentenceOf = (left: readonly Left[]): string => {
  const named = left.slice(0, MOST).map(sayOne);
  const more = left.length - named.length;
  return [...named, ...(more === 0 ? [] : [`and ${more} more`])].join('; ');
};

const SAYS: Record<LeftReason, (what: string, by: string, fields: string) => string> = {
  changed: (what, by, fields) => `${fields}${what} was changed${by} since`,
  deleted: (what, by) => `${what} was deleted${by} since`,
  exists: (what) => `${what} is there again`,
  linked: (what) => `${what} has links that are not of this edit`,
  no_end: (what) => `${what} misses a node, or its port has another link`,
  not_kept: (what, _by, fields) => `the log does not keep ${fields}${what}`,
};

const sayOne = ({ type, name, fields, why, by }: Left): string => {
  const what = name ?? `a ${type}`;
  const said = fields.length === 0 ? '' : `${fields.slice(0, MOST).map(plain).join(', ')} of `;
  return SAYS[why](what, by === null ? '' : ` by ${by.principal}`, said);
};

const plain = (field: string): string =>
  field.startsWith('nodes.') ? 'a label' : field.replace(/^properties\./, '').replace(/^label\./, 'label ');
