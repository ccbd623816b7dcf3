import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { Emitter } from '../../../src/common/emitter.ts';
import { KvmFailed, proveKvm, watchKvm } from '../../../src/emulators/machine_emulator/machine/accelerator.ts';
import type { Qmp } from '../../../src/emulators/machine_emulator/machine/qmp.ts';

/** A machine in a state; `stop` tells that it stands still. */
const machine = (status: string): Qmp & { stop(): void } => {
  const emitter = new Emitter<{ event: [string, Record<string, unknown>] }>();
  return {
    execute: (command) => {
      assert.equal(command, 'query-status');
      return Promise.resolve({ status });
    },
    onEvent: emitter.subscriber('event'),
    open: true,
    close: () => undefined,
    stop: () => emitter.emit('event', 'STOP', {}),
  };
};

describe('a machine under KVM', () => {
  it('that KVM gives up at once is started without it', async () => {
    const broken = machine('internal-error');
    const proof = proveKvm(broken);
    broken.stop();
    await assert.rejects(proof, KvmFailed);
  });

  it('that runs, or that somebody suspends, is left alone', async () => {
    await proveKvm(machine('running'));
    const paused = machine('paused');
    const proof = proveKvm(paused);
    paused.stop();
    await proof;
  });

  it('that KVM gives up after a while ends, and is the last that was run by it', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    const exited = once(child, 'exit');
    const broken = machine('internal-error');
    let failed = 0;
    watchKvm(broken, child.pid ?? 0, () => failed++);
    broken.stop();
    assert.deepEqual(await exited, [null, 'SIGKILL']);
    assert.equal(failed, 1);
  });
});
