/** A name that is not taken: the next number at its end. */
export const uniqueName = (wished: string, taken: ReadonlySet<string>): string => {
  if (!taken.has(wished)) return wished;
  const [, stem = wished, digits = ''] = /^(.*?)((?<!\d)\d*)$/.exec(wished) ?? [];
  const separator = digits === '' ? '-' : '';
  for (let number = (Number(digits) || 0) + 1; ; number++) {
    const name = `${stem}${separator}${number}`;
    if (!taken.has(name)) return name;
  }
};
