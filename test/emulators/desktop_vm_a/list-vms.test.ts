import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { machinesIn, ramIn } from '../../../src/emulators/desktop_vm_a/list-vms.ts';

const ID = '3f9b5a3e-9c2e-4b57-9a42-7d6cb4a3f111';

describe('machines that VirtualBox lists', () => {
  it('have names with quotes and spaces, and those without one are left out', () => {
    const text = `"a "quoted" one" {${ID}}\r\n"<inaccessible>" {${ID}}\n"b" {${ID}}\n`;
    assert.deepEqual(
      machinesIn(text).map(({ vmname }) => vmname),
      ['a "quoted" one', 'b'],
    );
  });

  it('have the memory that is told of them, and none where nothing is', () => {
    assert.equal(ramIn('name="b"\nmemory=2048\nvram=16\n'), 2048);
    assert.equal(ramIn(''), 0);
  });
});
