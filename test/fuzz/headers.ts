import type { Random } from '../faults/prng.ts';
import type { Operation } from './document.ts';

const TYPES = [
  'application/json',
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/json; charset=utf-16',
  '',
];
const MULTIPART = ['multipart/form-data', 'multipart/form-data; boundary=b', 'multipart/form-data; boundary="'];
/** Few, so that many requests have the same. */
const KEYS = ['a', 'b', 'c', 'd', 'k'.repeat(255), 'k'.repeat(256), 'mit Leerzeichen', ''];
const TAGS = ['*', '"1"', '"57"', 'W/"57"', '"', '1', '"1", "2"', '"99999999999999999999"', ','];
const LIKELY = 12;

/** Headers that change what a server does, right and wrong. */
const OTHERS: readonly ((random: Random) => readonly [string, string])[] = [
  (random) => ['content-type', random.pick([...TYPES, ...MULTIPART]) ?? ''],
  (random) => ['idempotency-key', random.pick(KEYS) ?? ''],
  (random) => ['if-match', random.pick(TAGS) ?? ''],
  (random) => ['if-none-match', random.pick(TAGS) ?? ''],
  (random) => ['accept', random.pick(['application/x-ndjson', 'text/html', '*/*;q=x', '']) ?? ''],
  (random) => ['last-event-id', random.pick(['1', '0', '-1', '9'.repeat(30), '5.1', 'x']) ?? ''],
  (random) => ['x-request-id', random.pick(['mine', 'x'.repeat(4_000), '{}', '\u00e9']) ?? ''],
  (random) => ['x-topolog-user', random.pick(['ada', '', '\u00e9'.repeat(200)]) ?? ''],
  (random) => ['authorization', random.pick(['Basic', 'Basic Og==', 'Basic \u00ff', 'Bearer x', 'Topolog x']) ?? ''],
  (random) => ['range', random.pick(['bytes=0-1', 'bytes=-1', 'x']) ?? ''],
  (random) => ['content-encoding', random.pick(['gzip', 'br', 'x']) ?? ''],
  (random) => ['host', random.pick(['elsewhere.example', 'localhost:1', '[::1]', 'a b', '']) ?? ''],
  (random) => ['origin', random.pick(['http://elsewhere.example', 'null', 'http://127.0.0.1', 'x']) ?? ''],
  (random) => ['sec-fetch-site', random.pick(['cross-site', 'same-origin', 'none', 'x']) ?? ''],
  (random) => [`x-${'n'.repeat(random.below(200))}`, 'v'.repeat(random.pick([10, 3_000, 17_000]) ?? 10)],
];

export const headersOf = (random: Random, { path }: Operation): Record<string, string> => {
  const headers: Record<string, string> = {};
  if (path.endsWith('/ws') && random.below(4) > 0)
    Object.assign(headers, {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': random.below(8) === 0 ? '7' : '13',
      'sec-websocket-key': random.below(8) === 0 ? 'x' : 'dGhlIHNhbXBsZSBub25jZQ==',
    });
  for (const other of OTHERS) {
    if (random.below(LIKELY * OTHERS.length) >= OTHERS.length / 2) continue;
    const [name, value] = other(random);
    headers[name] = value;
  }
  return headers;
};
