import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { portsInRound } from '../../../src/fabric/console/listen.ts';

const first = (taken: ReadonlySet<number>, range: [number, number]): { port: number | null; looks: number } => {
  let looks = 0;
  for (const port of portsInRound(range)) {
    looks += 1;
    if (!taken.has(port)) return { port, looks };
  }
  return { port: null, looks };
};

describe('the ports of a range', () => {
  it('are looked at once each, from the last look on', () => {
    const range: [number, number] = [5000, 5009];
    assert.deepEqual(
      [...portsInRound(range)].sort(),
      Array.from({ length: 10 }, (_, n) => 5000 + n),
    );
    const [one] = portsInRound(range);
    const [two] = portsInRound(range);
    assert.equal(two, one === 5009 ? 5000 : Number(one) + 1);
    assert.deepEqual([...portsInRound([5000, 4999])], []);
  });

  it('cost a lab no more looks than it has nodes and others have ports, however these lie', () => {
    const range: [number, number] = [5000, 6999];
    const taken = new Set(Array.from({ length: 1000 }, (_, n) => 5000 + n));
    let looks = 0;
    for (let node = 0; node < 1000; node += 1) {
      const found = first(taken, range);
      looks += found.looks;
      taken.add(Number(found.port));
    }
    assert.equal(taken.size, 2000);
    assert.ok(looks <= 2000 + 1000, `${looks} looks`);
    assert.deepEqual(first(taken, range), { port: null, looks: 2000 });
  });

  it('end for all searches of a time once each was looked at and none was had', () => {
    const searches = Array.from({ length: 100 }, () => portsInRound([5000, 5999]));
    let looks = 0;
    for (let open = [...searches]; open.length > 0; open = open.filter((search) => search.next().done !== true))
      looks += open.length;
    assert.equal(looks, 1000 + 100);
  });

  it('are looked at again by the search that comes after', () => {
    const taken = new Set([5000, 5001]);
    assert.deepEqual(first(taken, [5000, 5001]), { port: null, looks: 2 });
    taken.delete(5001);
    assert.equal(first(taken, [5000, 5001]).port, 5001);
  });

  it('last as long as one of the searches finds one', () => {
    const range: [number, number] = [5000, 5002];
    const one = portsInRound(range);
    const other = portsInRound(range);
    one.next();
    other.next();
    one.return(null);
    assert.equal(other.next().done, false);
    assert.equal(other.next().done, false);
    assert.equal(other.next().done, false);
    assert.equal(other.next().done, true);
  });
});
