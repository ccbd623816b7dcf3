/** The language of display filters: docs/reference/packets.md. Its names are those of Wireshark. */
export type Operator = '==' | '!=' | '>' | '>=' | '<' | '<=' | 'contains';
export const OPERATORS: readonly Operator[] = ['==', '!=', '>', '>=', '<', '<=', 'contains'];

/** A value as it was written, and where. */
export interface Literal {
  text: string;
  /** Was in quotes. */
  isQuoted: boolean;
  at: number;
}

export type Filter =
  | { sort: 'and' | 'or'; parts: readonly Filter[] }
  | { sort: 'not'; part: Filter }
  /** A frame that has this field or protocol. */
  | { sort: 'has'; name: string; at: number }
  /** `in {…}` has several. */
  | { sort: 'compare'; name: string; at: number; operator: Operator; value: Literal }
  | { sort: 'in'; name: string; at: number; values: readonly (readonly [Literal, Literal | null])[] }
  /** Somewhere in the line of the list. */
  | { sort: 'words'; text: string };

/** What is wrong with a filter, and where: characters from 0 on. */
export class FilterError extends Error {
  readonly at: number;
  readonly length: number;

  constructor(message: string, at: number, length = 1) {
    super(message);
    this.name = 'FilterError';
    this.at = at;
    this.length = length;
  }
}

const PLAIN = /^[\w.:/-]+$/;
const RESERVED = new Set(['and', 'or', 'not', 'in', 'contains', 'eq', 'ne', 'gt', 'ge', 'lt', 'le']);

/** Two dots are the sign of a range. */
const isPlain = (text: string): boolean =>
  PLAIN.test(text) && !text.includes('..') && !RESERVED.has(text.toLowerCase());

const formatValue = ({ text, isQuoted }: Literal): string => (!isQuoted && isPlain(text) ? text : quote(text));

const quote = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;

/** A filter as text that is read as the same filter. */
export const formatFilter = (filter: Filter): string => {
  switch (filter.sort) {
    case 'and':
    case 'or': {
      const sign = filter.sort === 'and' ? ' && ' : ' || ';
      return filter.parts
        .map((part) => (part.sort === 'and' || part.sort === 'or' ? `(${formatFilter(part)})` : formatFilter(part)))
        .join(sign);
    }
    case 'not':
      return filter.part.sort === 'has' || filter.part.sort === 'words'
        ? `!${formatFilter(filter.part)}`
        : `!(${formatFilter(filter.part)})`;
    case 'has':
      return filter.name;
    case 'compare':
      return `${filter.name} ${filter.operator} ${formatValue(filter.value)}`;
    case 'in': {
      const values = filter.values.map(([from, to]) =>
        to === null ? formatValue(from) : `${formatValue(from)} .. ${formatValue(to)}`,
      );
      return `${filter.name} in {${values.join(', ')}}`;
    }
    case 'words':
      return quote(filter.text);
  }
};
