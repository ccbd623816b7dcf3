import type { ReactElement } from 'react';
import { t } from '../words/words.ts';

/** As it is said and shown; who has given no name has none in any language. */
export const personName = (name: string): string => (name === 'anonymous' ? t('anonymous') : name);

/** Someone who is here, as the first letters of the name on a colour of its own. */
export const Avatar = ({ name }: { name: string }): ReactElement => (
  <span className={`avatar tint-${tintOf(name)}`} title={personName(name)}>
    <span aria-hidden="true">{initialsOf(name)}</span>
    <span className="visually-hidden">{personName(name)}</span>
  </span>
);

/** The same name has the same colour for everybody: one of the six of computes. */
export const tintOf = (name: string): number => {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003;
  return (sum % 6) + 1;
};

export const initialsOf = (name: string): string => {
  const words = name.split(/[\s._@-]+/).filter((word) => word !== '');
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [name];
  return letters
    .map((word) => word?.charAt(0) ?? '')
    .join('')
    .toUpperCase();
};
