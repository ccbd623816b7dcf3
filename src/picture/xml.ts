/** Text as it may stand in XML, between tags and in attributes. What XML 1.0 has no way to say is left out. */
export const escapeXml = (text: string): string =>
  text
    .replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '');

/** A number as short as it can be written. */
export const num = (n: number): string => String(Math.round(n * 100) / 100);
