import { BOUNDS, parsePieces, TooMuch } from '../../common/json.ts';
import { invalid } from '../../common/errors.ts';
import { atOnce, inSlices, type Steps } from '../../common/slices.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Octets of a body that is parsed at once; a larger one is parsed in slices, so that it holds up nobody. */
const AT_ONCE = 32 * 1024;

/** A body as an object, whatever its content type says: nothing is `{}`, everything else must be a JSON object in UTF-8. */
export const parseJsonBody = (bytes: Uint8Array): Record<string, unknown> | Promise<Record<string, unknown>> =>
  bytes.length <= AT_ONCE ? atOnce(parsing(bytes)) : inSlices(parsing(bytes));

function* parsing(bytes: Uint8Array): Steps<Record<string, unknown>> {
  const text = decode(bytes);
  if (text.trim() === '') return {};
  yield;
  const value = yield* parse(text);
  if (!isObject(value)) throw invalid('the body must be a JSON object');
  yield* assertSound(value);
  return value;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const decode = (bytes: Uint8Array): string => {
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalid('the body must be UTF-8');
  }
};

function* parse(text: string): Steps<unknown> {
  try {
    return yield* parsePieces(text, BOUNDS.body);
  } catch (error) {
    throw invalid(error instanceof TooMuch ? `the body ${error.message}` : 'the body must be JSON');
  }
}

/** Refuses what later merges and recursive walks could trip over. Walks without recursion itself. */
function* assertSound(root: object): Steps<void> {
  let level: object[] = [root];
  while (level.length > 0) {
    const next: object[] = [];
    for (const value of level) {
      if (Object.hasOwn(value, '__proto__')) throw invalid('the body must not have a key __proto__');
      for (const item of Object.values(value)) if (typeof item === 'object' && item !== null) next.push(item as object);
      yield;
    }
    level = next;
  }
}
