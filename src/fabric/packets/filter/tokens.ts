import { FilterError } from './filter.ts';

export interface Token {
  sort: 'word' | 'quoted' | 'sign' | 'end';
  /** Of a quoted text what is in it; of signs as one writes them here. */
  text: string;
  at: number;
  /** Characters in the filter. */
  length: number;
}

/** Other ways to write signs. */
const SIGNS: Readonly<Record<string, string>> = {
  and: '&&',
  or: '||',
  not: '!',
  eq: '==',
  ne: '!=',
  gt: '>',
  ge: '>=',
  lt: '<',
  le: '<=',
  contains: 'contains',
  in: 'in',
};

const TOKEN = /\s*(?:(&&|\|\||==|!=|>=|<=|\.\.|[!<>(){},])|"((?:[^"\\]|\\.)*)"|((?:(?!\.\.)[\w.:/-])+))/uy;

export const tokensOf = (text: string): Token[] => {
  const tokens: Token[] = [];
  const pattern = new RegExp(TOKEN);
  for (;;) {
    const start = pattern.lastIndex;
    const match = pattern.exec(text);
    if (match === null) {
      const at = start + (/^\s*/.exec(text.slice(start))?.[0].length ?? 0);
      if (at < text.length) throw unknown(text, at);
      return [...tokens, { sort: 'end', text: '', at: text.length, length: 0 }];
    }
    const [whole, sign, quoted, word] = match;
    const length = whole.trimStart().length;
    const place = { at: match.index + whole.length - length, length };
    if (sign !== undefined) tokens.push({ sort: 'sign', text: sign, ...place });
    else if (quoted !== undefined) tokens.push({ sort: 'quoted', text: quoted.replaceAll(/\\(.)/gsu, '$1'), ...place });
    else if (word !== undefined) {
      const named = Object.hasOwn(SIGNS, word.toLowerCase()) ? SIGNS[word.toLowerCase()] : undefined;
      tokens.push({ sort: named === undefined ? 'word' : 'sign', text: named ?? word, ...place });
    }
  }
};

const unknown = (text: string, at: number): FilterError =>
  text[at] === '"'
    ? new FilterError('this text has no closing quotation mark', at, text.length - at)
    : new FilterError(`there is no sign ${text.slice(at, at + 1)}`, at);
