import { describe } from '../fields/names.ts';
import { type Filter, FilterError, type Operator, OPERATORS, type Literal } from './filter.ts';

const LONGEST = 2_000;
/** Nesting of parentheses and `!`. */
const DEEPEST = 100;

/** Parses a filter; null for an empty text, which selects every frame. Throws `FilterError`. */
export const parseFilter = (text: string): Filter | null => {
  if (text.trim() === '') return null;
  if (text.length > LONGEST) throw new FilterError(`a filter has at most ${LONGEST} characters`, LONGEST);
  const parser = new Parser(tokensOf(text));
  return parser.whole();
};

class Parser {
  readonly #tokens: readonly Token[];
  #index = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  whole(): Filter {
    const filter = this.#or();
    const rest = this.#next();
    if (rest.sort !== 'end') throw wrong(rest, rest.text === ')' ? 'there is no ( for this )' : 'expected && or ||');
    return filter;
  }

  #peek(): Token {
    return this.#tokens[Math.min(this.#index, this.#tokens.length - 1)] ?? { sort: 'end', text: '', at: 0, length: 0 };
  }

  #next(): Token {
    const token = this.#peek();
    this.#index++;
    return token;
  }

  #takes(sign: string): boolean {
    const { sort, text } = this.#peek();
    if (sort !== 'sign' || text !== sign) return false;
    this.#index++;
    return true;
  }

  #or(): Filter {
    const parts = [this.#and()];
    while (this.#takes('||')) parts.push(this.#and());
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { sort: 'or', parts };
  }

  #and(): Filter {
    const parts = [this.#one()];
    while (this.#takes('&&')) parts.push(this.#one());
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { sort: 'and', parts };
  }

  #one(): Filter {
    const token = this.#next();
    if (++this.#depth > DEEPEST) throw wrong(token, 'too much inside of each other');
    const filter = this.#test(token);
    this.#depth--;
    return filter;
  }

  #test(token: Token): Filter {
    if (token.sort === 'end') throw wrong(token, 'expected a field or a protocol');
    if (token.sort === 'quoted') return { sort: 'words', text: token.text };
    if (token.sort === 'word') return this.#field(token);
    if (token.text === '!') return { sort: 'not', part: this.#one() };
    if (token.text !== '(') throw wrong(token, `expected a field or a protocol, not ${token.text}`);
    const filter = this.#or();
    if (!this.#takes(')')) throw wrong(token, 'there is no ) for this (');
    return filter;
  }

  #field({ text, at, length }: Token): Filter {
    const name = text.toLowerCase();
    if (describe(name) === undefined) throw new UnknownField(text, at, length);
    const sign = this.#peek();
    if (sign.sort !== 'sign') return { sort: 'has', name, at };
    if (this.#takes('in')) return { sort: 'in', name, at, values: this.#values() };
    const operator = OPERATORS.find((one): one is Operator => one === sign.text);
    if (operator === undefined) return { sort: 'has', name, at };
    this.#index++;
    return { sort: 'compare', name, at, operator, value: this.#value() };
  }

  #value(): Literal {
    const token = this.#next();
    if (token.sort !== 'word' && token.sort !== 'quoted') throw wrong(token, 'expected a value');
    return { text: token.text, isQuoted: token.sort === 'quoted', at: token.at };
  }

  #values(): (readonly [Literal, Literal | null])[] {
    const open = this.#next();
    if (open.text !== '{') throw wrong(open, 'expected {, values, and }');
    const values: (readonly [Literal, Literal | null])[] = [];
    do {
      const from = this.#value();
      values.push([from, this.#takes('..') ? this.#value() : null]);
    } while (this.#takes(','));
    if (!this.#takes('}')) throw wrong(this.#peek(), 'expected , or }');
    return values;
  }
}

/** A field that Topolog does not know; tshark may. */
export class UnknownField extends FilterError {
  constructor(name: string, at: number, length: number) {
    super(`there is no field or protocol ${name}`, at, length);
  }
}

const wrong = ({ at, length }: Token, message: string): FilterError =>
  new FilterError(message, at, Math.max(1, length));

interface Token {
  sort: 'word' | 'quoted' | 'sign' | 'end';
  /** Content of a quoted text; canonical form of a sign. */
  text: string;
  at: number;
  /** Characters in the filter. */
  length: number;
}

/** Signs by their words. */
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

const tokensOf = (text: string): Token[] => {
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
