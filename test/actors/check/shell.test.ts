import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Finding } from '../../../src/actors/check/decide.ts';
import { lookAtExec } from '../../../src/actors/check/look/exec.ts';
import type { Eyes } from '../../../src/actors/check/look/eyes.ts';
import { lookAtReach } from '../../../src/actors/check/reach.ts';
import { checkForm, type ExecForm } from '../../../src/common/forms/check.ts';
import { createKinds } from '../../../src/emulators/registry.ts';

const VM = { node_id: 'a', name: 'vm', kind: 'machine_emulator', state: 'started', engine: 'qemu', properties: {} };

/** Looks at a VM whose console shows these texts, one behind each line that is typed. */
const console = (...shows: readonly string[]) => {
  const typed: string[] = [];
  const eyes = {
    everyMs: 1_000,
    context: {
      kinds: createKinds(),
      computes: { engine: () => undefined, find: () => undefined },
      secrets: { plain: (value: unknown) => value },
      engines: { running: () => ({ outside: true }) },
      committed: { get: (kind: string, id: string) => (kind === 'node' && id === 'a' ? VM : undefined) },
      plumbing: { tables: () => Promise.resolve(new Map()) },
    },
    questions: {
      console: ({ type, until }: { type: string; until: string }) => {
        const text = shows[typed.length] ?? '';
        typed.push(type);
        return Promise.resolve({ isFound: new RegExp(until, 'm').test(text), text, problem: null });
      },
    },
    signal: new AbortController().signal,
  } as unknown as Eyes;
  const exec = (more: Partial<ExecForm>): Promise<Finding> => {
    const check = checkForm.parse({ exec: { node: 'a', run: 'uname', ...more } });
    return lookAtExec(eyes, { check_id: 'c', ...check });
  };
  const reach = (): Promise<Finding> => lookAtReach(eyes, { check_id: 'c', reach: { from: 'a', to: '10.0.0.2' } });
  return { typed, exec, reach };
};

const LINUX = 'root@vm:~# ';

describe('a command at the prompt of a console', () => {
  it('is typed at a prompt that is learned, and asked for its exit code', async () => {
    const { typed, exec } = console(LINUX, `Linux\n${LINUX}`, `=0\n${LINUX}`);
    const { holds, text, evidence } = await exec({});
    assert.deepEqual(typed, ['', 'uname', 'echo "=$?"']);
    assert.deepEqual([holds, text], [true, 'uname ended with 0']);
    assert.deepEqual(evidence, { code: 0, output: 'Linux' });
    assert.equal((await console(LINUX, LINUX, `=3\n${LINUX}`).exec({})).text, 'uname ended with 3');
  });

  it('logs in where the console asks for it', async () => {
    const { typed, exec } = console('\nvm login: ', 'Password: ', `Welcome!\n$ `, 'Linux\n$ ', '=0\n$ ');
    assert.equal((await exec({ user: 'cirros', password: 'gocubsgo', shows: 'Linux' })).holds, true);
    assert.deepEqual(typed, ['', 'cirros', 'gocubsgo', 'uname', 'echo "=$?"']);
    const without = await console('\nvm login: ').exec({});
    assert.equal(without.holds, null);
    assert.equal(without.text, 'the console of vm asks for a user, which the check does not have');
    const refused = ['login: ', 'Password: ', 'Login incorrect\nvm login: ', 'Password: ', 'vm login: '];
    const wrong = await console(...refused).exec({ user: 'a', password: 'b' });
    assert.deepEqual([wrong.holds, wrong.text], [null, 'the console of vm shows no prompt']);
  });

  it('asks a router for nothing but its output', async () => {
    const { typed, exec } = console('R1#', '10.0.0.2  FULL/DR\nR1#');
    assert.equal((await exec({ matches: 'FULL' })).holds, true);
    assert.deepEqual(typed, ['', 'uname']);
    const bare = await console('R1#', 'ok\nR1#').exec({});
    assert.deepEqual(
      [bare.holds, bare.text],
      [null, 'the console does not tell how uname ended; the check can ask for what it shows'],
    );
  });

  it('reads JSON, and says when it does not end', async () => {
    const json = await console('r1# ', '{"a":1}\nr1# ', '% Unknown command\nr1# ').exec({ json: 'a', is: 1 });
    assert.equal(json.holds, true, json.text);
    const late = await console(LINUX, 'still\n').exec({ timeout: '3s' });
    assert.deepEqual([late.holds, late.text], [false, 'uname was not done within 3000 ms']);
  });
});

describe('a ping from a machine', () => {
  it('is the one of the system whose prompt is there', async () => {
    const linux = console(LINUX, `2 packets transmitted, 2 received, 0% packet loss\n${LINUX}`);
    assert.equal((await linux.reach()).holds, true);
    assert.deepEqual(linux.typed, ['', 'ping -c 2 -W 1 10.0.0.2']);
    const ios = console('R1>', 'Success rate is 0 percent (0/2)\nR1>');
    assert.equal((await ios.reach()).holds, false);
    assert.deepEqual(ios.typed, ['', 'ping 10.0.0.2 repeat 2 timeout 1']);
  });

  it('is none where nobody knows the prompt', async () => {
    const { holds, text } = await console('C:\\>').reach();
    assert.deepEqual([holds, text.includes('nobody knows how to ping at the prompt C:\\>')], [null, true]);
  });
});
