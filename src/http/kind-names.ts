import type { Kind } from '../emulators/kit/contract.ts';
import type { Kinds } from '../emulators/registry.ts';

/** Which names of kinds the answers carry; both are always accepted. */
export type Naming = 'neutral' | 'gns3';

/**
 * Translates between the neutral tokens of the specification and the names that existing tools use. Both are accepted in paths and in
 * `node_type`; the server works with tokens; `names` decides which ones answers carry.
 */
export interface KindNames {
  /** Every name taken, tokens first. */
  accepted: readonly string[];
  kind(nameOrAlias: string): Kind | undefined;
  /** The name that answers carry. */
  emit(token: string): string;
  /** Every name that answers carry, each once: the names of existing tools have one for several kinds. */
  emitted: readonly string[];
  /** The URL with the token in the place of the kind. */
  rewrite(url: string): string;
}

export const createKindNames = (kinds: Kinds, names: Naming): KindNames => {
  const all = kinds.all();
  const tokens = new Map(all.map((kind) => [kind.alias, kind.name]));
  const out = new Map(
    all.map((kind) => [kind.name, names === 'gns3' ? (kind.standIn?.kind ?? kind).alias : kind.name]),
  );
  return {
    accepted: [...new Set([...all.map((kind) => kind.name), ...all.map((kind) => kind.alias)])],
    kind: (name) => kinds.get(name),
    emit: (token) => out.get(token) ?? token,
    emitted: [...new Set(out.values())],
    rewrite: (url) => {
      const place = kindSegment(url);
      if (!place) return url;
      const token = tokens.get(url.slice(place.start, place.end));
      return token === undefined ? url : url.slice(0, place.start) + token + url.slice(place.end);
    },
  };
};

/** Paths with a kind in them, up to the kind. */
const BEFORE_KIND = [
  /^\/v2\/compute\/projects\/[^/?]*\/(?=[^/?]+\/nodes(?:[/?]|$))/,
  /^\/v2\/compute\/(?!projects(?:[/?]|$))/,
  /^\/v2\/projects\/[^/?]*\/nodes\/[^/?]*\/(?=[^/?]+\/\w+(?:\?|$))/,
];

/** Where the kind stands in a URL. */
const kindSegment = (url: string): { start: number; end: number } | undefined => {
  const start = BEFORE_KIND.map((before) => before.exec(url)?.[0].length).find((length) => length !== undefined);
  if (start === undefined) return undefined;
  const length = url.slice(start).search(/[/?]|$/);
  return length === 0 ? undefined : { start, end: start + length };
};
