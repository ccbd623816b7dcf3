/**
 * Caches a value derived from an object on the object itself, for objects that are replaced and never changed. Copies (`{ ...object }`)
 * and JSON do not carry it. With a WeakMap, every collection of garbage would go through all of its entries.
 */
export const memo = <K extends object, V extends object | string, More extends unknown[] = []>(
  make: (object: K, ...more: More) => V,
): ((object: K, ...more: More) => V) => {
  const kept = Symbol('memo');
  return (object, ...more) => {
    const known = (object as { [kept]?: V })[kept];
    if (known !== undefined) return known;
    const value = make(object, ...more);
    Object.defineProperty(object, kept, { value });
    return value;
  };
};
