/** Time that a command about machines that have nothing may take beyond the longest one without faults. Milliseconds. */
const MORE_MS = 1_000;

/** One request, from its sending on. */
export interface Watch {
  /** None of its machines has had anything since. */
  wasWell(): boolean;
  /** It was answered now. `sort`: what it asked. */
  noted(sort: string): void;
}

/** Which machines have something, from a fault on until all is well again, and how long requests about the others take. */
export class Troubles {
  readonly #ill = new Map<string, number>();
  /** What took too long. */
  readonly slow: string[] = [];
  #isCalm = true;
  /** Longest of all while nothing had happened yet. */
  #calm = 0;
  longest = 0;

  begin(machine: string): void {
    this.#isCalm = false;
    this.#ill.set(machine, (this.#ill.get(machine) ?? 0) + 1);
  }

  /** Everything is well again. */
  over(): void {
    this.#ill.clear();
  }

  /** Of requests about these machines. */
  watch(machines: readonly string[]): Watch {
    const begun = performance.now();
    const isWell = (): boolean => machines.every((machine) => !this.#ill.has(machine));
    return {
      wasWell: isWell,
      noted: (sort) => this.#noted(`${sort} (${machines.join()})`, performance.now() - begun),
    };
  }

  #noted(sort: string, took: number): void {
    if (this.#isCalm) this.#calm = Math.max(took, this.#calm);
    else {
      this.longest = Math.max(this.longest, took);
      if (took > this.#calm + MORE_MS)
        this.slow.push(`${sort} took ${Math.round(took)} ms, and without faults at most ${Math.round(this.#calm)} ms`);
    }
  }
}
