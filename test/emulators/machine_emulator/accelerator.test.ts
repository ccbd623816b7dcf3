import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  choosesAccelerator,
  type Host,
  kvmWorks,
} from '../../../src/emulators/machine_emulator/machine/accelerator.ts';
import { dutyCycle } from '../../../src/emulators/machine_emulator/machine/scheduling.ts';

const host = (paths: string[], changes: Partial<Host> = {}): Host => ({
  arch: 'x64',
  platform: 'linux',
  exists: (file) => Promise.resolve(paths.includes(file)),
  opens: (file) => Promise.resolve(paths.includes(file)),
  ...changes,
});
const KVM = '/dev/kvm';

describe('KVM', () => {
  it('is used where the processor helps, and not because the device opens', async () => {
    assert.equal(await kvmWorks('x86_64', host([KVM, '/sys/module/kvm_intel'])), true);
    assert.equal(await kvmWorks('i386', host([KVM, '/sys/module/kvm_amd'])), true);
    assert.equal(await kvmWorks('x86_64', host([KVM, '/sys/module/kvm_pvm'])), false);
    assert.equal(await kvmWorks('x86_64', host(['/sys/module/kvm_intel'])), false);
  });

  it('runs only guests of this processor', async () => {
    const all = [KVM, '/sys/module/kvm_intel'];
    assert.equal(await kvmWorks('aarch64', host(all)), false);
    assert.equal(await kvmWorks('aarch64', host([KVM], { arch: 'arm64' })), true);
    assert.equal(await kvmWorks('x86_64', host(all, { arch: 'arm64' })), false);
    assert.equal(await kvmWorks('x86_64', host(all, { platform: 'darwin' })), false);
  });

  it('is left to options that say how the machine is run', () => {
    for (const options of ['-enable-kvm', '-accel hvf', '-machine q35,accel=tcg', '--accel kvm'])
      assert.equal(choosesAccelerator(options), true, options);
    for (const options of ['', '-machine q35', '-cpu max', '-append accelerate'])
      assert.equal(choosesAccelerator(options), false);
  });
});

describe('throttling', () => {
  it('stands still for the share of the time that is not allowed', () => {
    assert.deepEqual(dutyCycle(50, 1), { pause: 0.05, run: 0.05 });
    assert.deepEqual(dutyCycle(80, 2), { pause: 0.06, run: 0.04 });
    assert.deepEqual(dutyCycle(10, 4), { pause: 0.098, run: 0.002 });
  });

  it('leaves alone what may have all of its processors', () => {
    for (const [percent, cpus] of [
      [0, 1],
      [100, 1],
      [800, 8],
      [200, 1],
    ] as const)
      assert.equal(dutyCycle(percent, cpus), null);
  });
});
