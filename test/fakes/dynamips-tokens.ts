/**
 * Words of a line as the hypervisor's parser makes them: blanks part them, `!` and `#` begin a comment, double quotes keep both. A
 * pair of quotes with nothing in it is no word. A text instead of words is what is wrong.
 */
export const tokensOf = (line: string): string[] | string => {
  const tokens: string[] = [];
  let token = '';
  let state: 'blank' | 'word' | 'quoted' = 'blank';
  const push = (): void => {
    if (token !== '') tokens.push(token);
    token = '';
    state = 'blank';
  };
  for (const c of `${line}\n`) {
    const ends = c === '\n' || c === '\r' || c === '\0';
    if (state === 'quoted') {
      if (ends) return 'unexpected end of line';
      if (c === '"') push();
      else token += c;
    } else if (ends || c === '!' || c === '#') {
      push();
      return tokens;
    } else if (c === '"') {
      if (state === 'word') return 'unexpected quote';
      state = 'quoted';
    } else if (c === ' ' || c === '\t') push();
    else {
      state = 'word';
      token += c;
    }
  }
  return tokens;
};
