/** The language of display filters: docs/reference/packets.md. Its names are those of Wireshark. */
export type Operator = '==' | '!=' | '>' | '>=' | '<' | '<=' | 'contains';
export const OPERATORS: readonly Operator[] = ['==', '!=', '>', '>=', '<', '<=', 'contains'];

/** A value in a filter. `at`: its position. */
export interface Literal {
  text: string;
  isQuoted: boolean;
  at: number;
}

export type Filter =
  | { sort: 'and' | 'or'; parts: readonly Filter[] }
  | { sort: 'not'; part: Filter }
  /** The frame has this field or protocol. */
  | { sort: 'has'; name: string; at: number }
  | { sort: 'compare'; name: string; at: number; operator: Operator; value: Literal }
  | { sort: 'in'; name: string; at: number; values: readonly (readonly [Literal, Literal | null])[] }
  /** Text in the frame's line of the list. */
  | { sort: 'words'; text: string };

/** An error in a filter. `at` and `length`: its place in characters from 0. */
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

/** Whether a value needs no quotes. Two dots would be a range. */
const isPlain = (text: string): boolean =>
  PLAIN.test(text) && !text.includes('..') && !RESERVED.has(text.toLowerCase());

const formatValue = ({ text, isQuoted }: Literal): string => (!isQuoted && isPlain(text) ? text : quote(text));

const quote = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;

/** Formats a filter as text that parses to the same filter. */
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
