/** Quotes any text so that a shell takes it as one word. */
const quoted = (text: string): string =>
  /^[\w:/.@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A command that shows a running capture in Wireshark as it grows; with a user curl asks for the password. */
export const wiresharkCommand = (url: string, user: string | null): string => {
  const login = user === null ? '' : ` -u ${quoted(user)}`;
  return `curl -sN${login} ${quoted(url)} | wireshark -k -i -`;
};
