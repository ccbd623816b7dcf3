/** Values of a sentence of the server that are said by it as well, and so are translated themselves. */
const SAID: ReadonlySet<string> = new Set([
  'reason',
  'since',
  'what',
  'state',
  'done',
  'how',
  'packets',
  'back',
  'link',
]);
/** Nobody reads more, and to look through it takes time. */
const LONGEST = 1_000;

const PLACEHOLDER = /\{(\w+)\}/g;

interface Pattern {
  readonly known: RegExp;
  readonly names: readonly string[];
  readonly wanted: string;
}

/** A name that a sentence begins with is not a sentence with a colon behind it, which others begin with. */
const ANY = '(.+?)';
const NAME = '((?:(?!: ).)+?)';

const patternOf = ([sentence, wanted]: readonly [string, string]): Pattern => {
  const [first = '', ...others] = sentence
    .split(/\{\w+\}/)
    .map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`));
  const names = [...sentence.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
  const values = names.map((name, index) => (index === 0 && first === '' && !SAID.has(name) ? NAME : ANY));
  return {
    known: new RegExp(`^${first}${others.map((part, index) => `${values[index]}${part}`).join('')}$`, 's'),
    names,
    wanted,
  };
};

/** The letters that do not change: the more there are, the more certain it is that a text is that sentence. */
const certainty = (sentence: string): number => sentence.replaceAll(PLACEHOLDER, '').length;

/**
 * Finds sentences of the server by what is between their values, `{name} is locked`, and says them with the same values by their translations.
 * `tell` translates values that are sentences.
 */
export const sentencesIn = (
  translations: Readonly<Record<string, string>>,
  tell: (text: string) => string,
): ((text: string) => string | undefined) => {
  const patterns = Object.entries(translations)
    .sort(([a], [b]) => certainty(b) - certainty(a))
    .map(patternOf);
  return (text) => {
    if (text.length > LONGEST) return undefined;
    for (const { known, names, wanted } of patterns) {
      const values = known.exec(text)?.slice(1);
      if (values === undefined) continue;
      const given = new Map(names.map((name, index) => [name, values[index] ?? '']));
      return wanted.replaceAll(PLACEHOLDER, (_, name: string) => {
        const value = given.get(name) ?? '';
        return SAID.has(name) ? tell(value) : value;
      });
    }
    return undefined;
  };
};
