/** Stands on every answer: browsers keep to its type, and run no uploaded file as a script. */
export const NO_SNIFF = ['x-content-type-options', 'nosniff'] as const;

/**
 * Policy of the page: it may run its own scripts, show pictures that it has made safe itself, and talk to its own server. Nothing from elsewhere,
 * nothing inline; styles may stand in attributes, as the map and the terminals position by them.
 */
const POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "connect-src 'self' ws: wss:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': POLICY,
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
};

/** For uploaded pictures: no script, no loading, no other type, whatever opens it. */
export const HARMLESS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
};

/** For pictures that contain other pictures. */
export const HARMLESS_PICTURE: Readonly<Record<string, string>> = {
  ...HARMLESS,
  'Content-Security-Policy': "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox",
};

export const NOT_BUILT =
  'The page of this server is not built: npm run build makes it. Everything below /v2 is served.\n';
