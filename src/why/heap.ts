/** What costs least comes first. */
export class Heap<T extends { cost: number }> {
  readonly #items: T[] = [];

  push(item: T): void {
    const items = this.#items;
    let at = items.push(item) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = items[parent];
      if (above === undefined || above.cost <= item.cost) break;
      items[at] = above;
      at = parent;
    }
    items[at] = item;
  }

  pop(): T | undefined {
    const items = this.#items;
    const [first] = items;
    const last = items.pop();
    if (last !== undefined && items.length > 0) this.#sink(last);
    return first;
  }

  #sink(item: T): void {
    const items = this.#items;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const [a, b] = [items[left], items[left + 1]];
      if (a === undefined) break;
      const child = b !== undefined && b.cost < a.cost ? left + 1 : left;
      const below = items[child];
      if (below === undefined || below.cost >= item.cost) break;
      items[at] = below;
      at = child;
    }
    items[at] = item;
  }
}
