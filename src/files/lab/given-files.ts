import { isUtf8 } from 'node:buffer';

/** A file that came with a text. */
export interface GivenFile {
  content: string;
  /** Absent: the content is its text. */
  encoding?: 'base64';
  /** Octal; absent: 644. */
  mode?: string;
}

/** Files by the names that the text has for them; a text alone is a file with nothing else to say. */
export type GivenFiles = Readonly<Record<string, string | GivenFile>>;

/** Undefined: it did not come. */
export const givenFile = (files: GivenFiles, name: string): GivenFile | undefined => {
  const found = Object.hasOwn(files, name) ? files[name] : undefined;
  return typeof found === 'string' ? { content: found } : found;
};

/** Text of a file; null: its octets are none. */
export const textOfFile = ({ content, encoding }: GivenFile): string | null => {
  if (encoding === undefined) return content;
  const octets = Buffer.from(content, encoding);
  return isUtf8(octets) ? octets.toString('utf8') : null;
};

/** A file as it travels: its text, or its octets in base64 where they are none. */
export const fileToGive = (octets: Buffer, mode: number): string | GivenFile => {
  const isText = isUtf8(octets);
  const permissions = (mode & 0o7777).toString(8).padStart(3, '0');
  const content = octets.toString(isText ? 'utf8' : 'base64');
  if (isText && permissions === '644') return content;
  return {
    content,
    ...(isText ? {} : { encoding: 'base64' }),
    ...(permissions === '644' ? {} : { mode: permissions }),
  };
};
