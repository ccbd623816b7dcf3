import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Finding } from '../../../src/actors/check/decide.ts';
import { lookAtExec } from '../../../src/actors/check/look/exec.ts';
import type { Eyes } from '../../../src/actors/check/look/eyes.ts';
import { checkForm, type ExecForm } from '../../../src/common/forms/check.ts';
import { createKinds } from '../../../src/emulators/registry.ts';
import type { Ran } from '../../../src/emulators/kit/contract.ts';

const NODE = { node_id: 'a', name: 'r1', kind: 'container', state: 'started', engine: 'docker', properties: {} };

/** Looks at an exec in r1, whose command ends so. */
const looked = async (more: Partial<ExecForm>, ran: Partial<Ran>, node: object = NODE): Promise<Finding> => {
  const lines: string[] = [];
  const run = (_: object, line: string): Promise<Ran> => {
    lines.push(line);
    return Promise.resolve({ code: 0, output: '', stdout: ran.output ?? '', ...ran });
  };
  const eyes = {
    context: {
      kinds: createKinds(),
      computes: { engine: () => undefined, find: () => undefined },
      secrets: { plain: (value: unknown) => value },
      engines: { running: () => ({ run }) },
      committed: { get: (kind: string) => (kind === 'node' ? { custom_adapters: [], ...node } : undefined) },
      settings: { allowScripts: false },
    },
    signal: new AbortController().signal,
  } as unknown as Eyes;
  const { exec } = checkForm.parse({ exec: { node: 'a', run: 'show it', ...more } });
  return lookAtExec(eyes, { check_id: 'c', exec: exec as ExecForm });
};

const JSON_TEXT = '{"peers":{"10.0.0.2":{"state":"Established","up":3},"10.0.0.3":{"state":"Idle","up":0}}}';
const STATE = { json: 'peers.*.state' };

describe('a command in a node', () => {
  it('holds by its exit code, 0 or the one that is asked for', async () => {
    assert.deepEqual(await looked({}, { output: 'fine' }), {
      holds: true,
      text: 'show it ended with 0',
      evidence: { code: 0, output: 'fine' },
    });
    assert.equal((await looked({}, { code: 1 })).holds, false);
    assert.equal((await looked({ code: 1 }, { code: 1 })).holds, true);
    assert.equal((await looked({ shows: 'x' }, { code: 1, output: 'x' })).text, 'show it ended with 1');
    const late = await looked({ timeout: '2s' }, { code: null, isLate: true });
    assert.deepEqual([late.holds, late.text], [false, 'show it was not done within 2000 ms']);
  });

  it('holds by its text', async () => {
    const output = 'neighbor 10.0.0.2\nstate Full\n';
    assert.equal((await looked({ shows: 'Full' }, { output })).holds, true);
    assert.equal((await looked({ shows: 'Down', not: true }, { output })).holds, true);
    const missed = await looked({ matches: '^state (Init|Down)$' }, { output });
    assert.deepEqual([missed.holds, missed.text], [false, 'the output of show it does not show ^state (Init|Down)$']);
    assert.equal((await looked({ matches: '^state F' }, { output })).holds, true);
  });

  it('holds by values of its JSON', async () => {
    const holds = async (more: Partial<ExecForm>) => (await looked(more, { output: JSON_TEXT })).holds;
    assert.equal(await holds({ ...STATE, is: 'Established' }), true);
    assert.equal(await holds({ ...STATE, is: 'Established', count: 2 }), false);
    assert.equal(await holds({ ...STATE, matches: '^(Est|Id)', count: 2 }), true);
    assert.equal(await holds({ ...STATE, shows: 'Active' }), false);
    assert.equal(await holds({ ...STATE, shows: 'Active', not: true }), true);
    assert.equal(await holds({ json: 'peers.*.up', is: 3 }), true);
    assert.equal(await holds({ json: "peers['10.0.0.4']" }), false);
    const { text } = await looked({ ...STATE, is: 'Established', count: 2 }, { output: JSON_TEXT });
    assert.equal(text, 'the output of show it has "Established", "Idle" at peers.*.state; 1 of 2 as Established');
  });

  it('reads JSON beside errors, and says where there is none', async () => {
    const output = `% no file\n${JSON_TEXT}`;
    assert.equal((await looked({ ...STATE, is: 'Idle' }, { output, stdout: JSON_TEXT })).holds, true);
    const none = await looked({ ...STATE, not: true }, { output: 'ospfd is not running' });
    assert.deepEqual([none.holds, none.text], [false, 'the output of show it is no JSON']);
  });

  it('needs a node that runs', async () => {
    const off = await looked({}, {}, { ...NODE, state: 'stopped' });
    assert.deepEqual([off.holds, off.text], [false, 'r1 is stopped']);
  });
});
