import type { AnyFact } from './facts.ts';
import { FACTS, isFactType } from './facts.ts';
import type { Fact } from './fact.ts';

/** Turns data of version n into version n + 1. Key: `<type>@<n>`. */
export type Upcasters = Readonly<Record<string, (data: never) => unknown>>;

/** One entry a schema change, never removed: old logs stay readable. */
export const UPCASTERS: Upcasters = {};

/**
 * A stored fact as today's code knows it. The stored text and its hash stay as they are; only what the folds see changes.
 * Throws for a type or version that this program does not know: it was written by a newer one.
 */
export const upcast = (fact: Fact, upcasters: Upcasters = UPCASTERS): AnyFact => {
  if (!isFactType(fact.type)) throw new Error(`fact ${fact.position} is of the unknown type ${fact.type}`);
  const current = FACTS[fact.type].v;
  if (fact.v > current)
    throw new Error(`fact ${fact.position} is ${fact.type} version ${fact.v}; this program knows ${current}`);
  // Nearly all of them, and a copy would cost as much as folding them.
  if (fact.v === current) return fact as AnyFact;
  let data = fact.data;
  for (let v = fact.v; v < current; v++) {
    const step = upcasters[`${fact.type}@${v}`];
    if (step === undefined) throw new Error(`fact ${fact.position}: no step from ${fact.type} version ${v}`);
    data = step(data as never);
  }
  const { position, project_id, version, type, at, by, request_id, cause, prev, hash } = fact;
  return { position, project_id, version, type, at, by, request_id, cause, prev, hash, v: current, data } as AnyFact;
};
