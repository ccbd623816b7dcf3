// The browser that tests, pictures and measurements of the page use.
import { existsSync } from 'node:fs';

/** Where distributions have it; the one without windows takes a fifth less of the processor. */
const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
];

/** Undefined where there is none. */
export const program = PLACES.find((place) => existsSync(place));

/** Said where there is none. */
export const NEEDED = 'needs Chromium: apt-get install chromium';
