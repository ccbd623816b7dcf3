/**
 * `$name`, `${name}` and their forms with a default (`:-`, `-`, `:=`, `=`) or an alternative (`:+`, `+`), as containerlab replaces them
 * in the whole text; `$$name` is a literal `$name`. No variable is set here: those of a server are nothing to those who send it texts.
 */
export const withDefaults = (text: string): { text: string; unset: string[] } => {
  const unset = new Set<string>();
  const replaced = text.replace(VARIABLE, (whole, ...parts: (string | undefined)[]) => {
    const [braced, form, word, bare] = parts;
    if (whole === '$$') return '$';
    if (form !== undefined) return form.endsWith('+') ? '' : (word ?? '');
    unset.add(braced ?? bare ?? '');
    return whole;
  });
  return { text: replaced, unset: [...unset] };
};

const VARIABLE = /\$\$(?=[A-Za-z_{])|\$\{([A-Za-z_]\w*)(?:(:?[-=+])([^{}]*))?\}|\$([A-Za-z_]\w*)/g;
