import { describe } from '../fields/names.ts';
import { type Filter, FilterError, type Operator, OPERATORS, type Written } from './filter.ts';
import { type Token, tokensOf } from './tokens.ts';

const LONGEST = 2_000;
/** Parentheses and `!` inside of each other. */
const DEEPEST = 100;

/** Null for a text that says nothing: every frame. Throws `FilterError`. */
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

  #value(): Written {
    const token = this.#next();
    if (token.sort !== 'word' && token.sort !== 'quoted') throw wrong(token, 'expected a value');
    return { text: token.text, isQuoted: token.sort === 'quoted', at: token.at };
  }

  #values(): (readonly [Written, Written | null])[] {
    const open = this.#next();
    if (open.text !== '{') throw wrong(open, 'expected {, values, and }');
    const values: (readonly [Written, Written | null])[] = [];
    do {
      const from = this.#value();
      values.push([from, this.#takes('..') ? this.#value() : null]);
    } while (this.#takes(','));
    if (!this.#takes('}')) throw wrong(this.#peek(), 'expected , or }');
    return values;
  }
}

/** Another decoder may know it. */
export class UnknownField extends FilterError {
  constructor(name: string, at: number, length: number) {
    super(`there is no field or protocol ${name}`, at, length);
  }
}

const wrong = ({ at, length }: Token, message: string): FilterError =>
  new FilterError(message, at, Math.max(1, length));
