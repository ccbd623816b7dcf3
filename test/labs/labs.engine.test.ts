import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { which } from '../../src/emulators/shared/process/find-program.ts';
import { programFile } from '../../src/common/package.ts';
import { type Podman, podmanLacks, startPodman } from '../support/podman.ts';
import { importRouterImage, routerImageLacks } from '../support/router-image.ts';
import { tempDir } from '../support/temp.ts';

/**
 * Labs of Linux and FRR as courses and tutorials have them: each starts with Podman as it is, and meets its own checks. Topology
 * files of containerlab have theirs in a file beside.
 */
const FOLDER = path.resolve('test/labs');
const LABS = readdirSync(FOLDER).filter((name) => /(?<!\.checks)\.ya?ml$/.test(name));

/** Why a lab cannot run here, by its name. */
const missing: Readonly<Record<string, string>> =
  (await which('keepalived')) === null ? { 'vrrp.yaml': 'keepalived is not installed' } : {};

const lacks = (await podmanLacks()) ?? (await routerImageLacks());

describe('labs of Linux and FRR', { skip: lacks ?? false, concurrency: 3 }, () => {
  let podman: Podman;
  before(async () => {
    podman = await startPodman();
    await importRouterImage(podman, ['alpine:3', 'quay.io/frrouting/frr:10.2.1']);
  });
  after(() => podman.close());

  /** Runs `topolog test`; resolves with its exit code and what it printed. */
  const tested = async (name: string): Promise<[number, string]> => {
    const { path: cwd, remove } = await tempDir();
    const checks = name.endsWith('.clab.yml')
      ? ['--checks', path.join(FOLDER, name.replace('.clab.yml', '.checks.yaml'))]
      : [];
    const args = [programFile('cli/topolog'), 'test', path.join(FOLDER, name), ...checks];
    const env = { ...process.env, DOCKER_HOST: `unix://${podman.socket}` };
    const ended = await promisify(execFile)(process.execPath, args, { cwd, env }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      (error: unknown) => error as { code: number; stdout: string; stderr: string },
    );
    await remove();
    return [ended.code, ended.stdout + ended.stderr];
  };

  it('are ten', () => assert.equal(LABS.length, 10, LABS.join(', ')));

  for (const name of LABS)
    it(`${name} starts and meets its checks`, { skip: missing[name] ?? false }, async () => {
      const [code, said] = await tested(name);
      assert.equal(code, 0, said);
    });
});
