/** null: it says nothing. */
export const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : null;

/** Pages are shown as links: other schemes would run in the page. */
export const webAddress = (value: unknown): string | null => {
  const text = textOf(value);
  return text !== null && /^https?:\/\//i.test(text) && URL.canParse(text) ? text : null;
};
