/** Names that hold slashes, two in a row among them, between a path's beginning and its end. */
const TAILS: readonly RegExp[] = [/^(\/v2\/symbols\/)([^?]+)(\/(?:raw|dimensions)(?:\?.*)?)$/s];

/**
 * The URL with such a name as one segment: `/v2/symbols/:/symbols/x.svg/raw` and `/v2/symbols//symbols/x.svg/raw` alike. Without it the
 * router would not find them, and nothing is redirected, which would turn a POST into a GET.
 */
export const foldTail = (url: string): string => {
  for (const pattern of TAILS) {
    const [, before, name, after] = pattern.exec(url) ?? [];
    if (before !== undefined && name !== undefined && after !== undefined)
      return before + name.replaceAll('/', '%2F') + after;
  }
  return url;
};
