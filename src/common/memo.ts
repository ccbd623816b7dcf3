/**
 * Makes something of an object once and keeps it on the object, for objects that are replaced and never changed. Copies (`{ ...object }`)
 * and JSON do not carry it. A WeakMap would do the same, but every collection of garbage goes through all of its entries.
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
