import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { absentProgram } from '../../src/emulators/absent-engine.ts';
import type { EngineContext } from '../../src/emulators/contract.ts';
import { createKinds } from '../../src/emulators/registry.ts';
import { which } from '../../src/emulators/which.ts';
import { nodeOf } from './sample.ts';

describe('engines that this version does not have', () => {
  let directory = '';
  let program = '';
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'topolog-absent-'));
    program = join(directory, 'emulator');
    await writeFile(program, '#!/bin/sh\n');
    await chmod(program, 0o755);
  });
  after(() => rm(directory, { recursive: true, force: true }));

  const context = {} as EngineContext;
  const pc = createKinds().get('simple_pc');
  assert.ok(pc);
  const node = nodeOf(pc);

  it('name the program and the command that installs it when it is not there', async () => {
    const engine = absentProgram('x', [join(directory, 'none')], 'apt-get install none').create(context);
    assert.deepEqual(await engine.missing(null), { needs: join(directory, 'none'), install: 'apt-get install none' });
  });

  it('do not pretend when the program is there, and do not send the user to install it', async () => {
    const engine = absentProgram('x', [program], 'apt-get install none').create(context);
    const missing = await engine.missing(node);
    assert.match(missing?.install ?? '', /this version of Topolog cannot drive it yet/);
    assert.doesNotMatch(missing?.install ?? '', /apt-get/);
    await assert.rejects(engine.start(node, {}, new AbortController().signal), { code: 'engine_missing', status: 409 });
  });
});

describe('looking for a program', () => {
  it('finds what the PATH has, and only what may be run', async () => {
    assert.notEqual(await which(process.execPath), null);
    assert.equal(await which('no-such-program-anywhere'), null);
    const directory = await mkdtemp(join(tmpdir(), 'topolog-which-'));
    try {
      const plain = join(directory, 'plain');
      await writeFile(plain, '', { mode: 0o600 });
      assert.equal(await which(plain), process.platform === 'win32' ? plain : null);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });
});
