import { invalid } from '../../common/errors.ts';

/** Formats of port names, as Python has them: https://docs.python.org/3/library/string.html#formatstrings */

/** Two braces that mean one; a placeholder; a placeholder in the specification of another one. */
const PARTS = /\{\{|\}\}|\{([^{}]*)\}|\{(?=\w*:[^{}]*\{)/g;

/**
 * Fills a port name format: `{0}` or `{port0}` the number in the segment, `{1}` or `{segment0}` the segment, `{port1}`..`{port8}`
 * and `{segment1}`..`{segment8}` the same counted from 1..8, `{adapter}` the adapter. `{}` are `{0}` and `{1}`. A specification for
 * integers may follow: `{0:02d}`.
 */
export const fillFormat = (format: string, port: number, segment: number, adapter: number): string => {
  let unnamed = 0;
  return format.replace(PARTS, (part, placeholder?: string) => {
    if (part === '{{' || part === '}}') return part.charAt(0);
    const [, key = '', spec] = /^([^:]*)(?::(.*))?$/su.exec(placeholder ?? ':{') ?? [];
    const number = numberOf(key === '' ? String(unnamed++) : key, { port, segment, adapter });
    return spec === undefined ? String(number) : formatInteger(number, spec);
  });
};

const numberOf = (
  key: string,
  { port, segment, adapter }: { port: number; segment: number; adapter: number },
): number => {
  if (key === '0') return port;
  if (key === '1') return segment;
  if (key === 'adapter') return adapter;
  const [, what, offset] = /^(port|segment)([0-8])$/.exec(key) ?? [];
  if (what === undefined)
    throw invalid(
      `port_name_format: {${key}} is not known; possible are {0}, {1}, {port0..8}, {segment0..8} and {adapter}`,
    );
  return (what === 'port' ? port : segment) + Number(offset);
};

/** `[[fill]align][sign][#][0][width][type]` */
const SPEC = /^(?:(.)?([<>=^]))?([-+ ])?(#)?(0)?(\d*)([bdnoxX])?$/u;
/** Characters. */
const WIDEST = 32;
const BASES: Readonly<Record<string, number>> = { b: 2, o: 8, x: 16, X: 16 };

const formatInteger = (value: number, spec: string): string => {
  const found = SPEC.exec(spec);
  if (found === null || Number(found[6]) > WIDEST)
    throw invalid(
      `port_name_format: ${spec} is no format of Python for an integer of at most ${WIDEST} characters, such as 02d`,
    );
  const [, , , sign, prefixed, zero, width, type = 'd'] = found;
  const { 1: fill = zero ?? ' ', 2: align = zero === undefined ? '>' : '=' } = found;
  const base = BASES[type];
  const digits = value.toString(base ?? 10);
  const lead =
    (sign === '+' || sign === ' ' ? sign : '') + (prefixed !== undefined && base !== undefined ? `0${type}` : '');
  const missing = Math.max(0, Number(width) - lead.length - digits.length);
  const before = { '<': 0, '^': Math.floor(missing / 2) }[align] ?? missing;
  const shown = type === 'X' ? digits.toUpperCase() : digits;
  const [outer, inner] = align === '=' ? [0, missing] : [before, 0];
  return `${fill.repeat(outer)}${lead}${fill.repeat(inner)}${shown}${fill.repeat(missing - before)}`;
};
