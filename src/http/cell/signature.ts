import { createHmac, timingSafeEqual } from 'node:crypto';

/** Who asks, as the server of the cell has found out that a request came to first. */
export interface Asker {
  principal: string;
  address: string | null;
}

/** `<asker as JSON in base64url>.<HMAC-SHA256 in base64url>`; the signature is for one epoch, method and path. */
export const FORWARDED = 'x-topolog-forwarded';

interface Signed {
  key: Buffer;
  epoch: number;
  method: string;
  /** With its query, as the client has sent it. */
  path: string;
}

export const signAsker = (signed: Signed, asker: Asker): string => {
  const text = Buffer.from(JSON.stringify(asker)).toString('base64url');
  return `${text}.${signature(signed, text).toString('base64url')}`;
};

/** Null: it was not signed by a server of the cell, or not for this request. */
export const signedAsker = (signed: Signed, header: string): Asker | null => {
  const [text = '', given = ''] = header.split('.');
  const [right, found] = [signature(signed, text), Buffer.from(given, 'base64url')];
  if (found.length !== right.length || !timingSafeEqual(found, right)) return null;
  return JSON.parse(Buffer.from(text, 'base64url').toString()) as Asker;
};

const signature = ({ key, epoch, method, path }: Signed, text: string): Buffer =>
  createHmac('sha256', key).update(['forwarded', epoch, method, path, text].join('\n')).digest();
