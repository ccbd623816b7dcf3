import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { machinesIn } from '../../../src/emulators/desktop_vm_b/list-vms.ts';

describe('machines of VMware’s own lists', () => {
  it('are those of the inventory that have a definition, by their names or those of their files', () => {
    const inventory = [
      '.encoding = "UTF-8"',
      'vmlist1.config = "/machines/one.vmx"',
      'vmlist1.DisplayName = "The first"',
      'vmlist2.config = "/machines/folder"',
      'vmlist2.DisplayName = "A folder"',
      'vmlist3.config = "/machines/three.vmx"',
      'vmlist3.DisplayName = ""',
    ].join('\n');
    assert.deepEqual(machinesIn(inventory), [
      { vmname: 'The first', vmx_path: '/machines/one.vmx' },
      { vmname: 'three', vmx_path: '/machines/three.vmx' },
    ]);
  });

  it('are those of the preferences of a program that has no inventory', () => {
    const preferences = 'pref.mruVM0.filename = "/machines/one.vmx"\r\npref.mruVM0.displayName = "One"\r\n';
    assert.deepEqual(machinesIn(preferences), [{ vmname: 'One', vmx_path: '/machines/one.vmx' }]);
  });
});
