import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Client } from '../../src/client/index.ts';
import { testServer, type TestServer } from '../support/server.ts';
import { makeTemp } from '../support/temp.ts';
import { type Ended, topologIn } from './run.ts';
import { atTerminal, noTerminal } from './terminal.ts';

const textOf = (lab: string, ...nodes: string[]): string =>
  ['version: 1', `lab: ${lab}`, 'nodes:', ...nodes.map((node) => `  ${node}`)].join('\n');
const PC1 = 'PC1: { kind: simple_pc, at: [0, 0] }';
const PC2 = 'PC2: { kind: simple_pc, at: [9, 0] }';
const CABLE = '\nlinks:\n  - [PC1:0, PC2:0]\n';

describe('topolog apply', { timeout: 200_000 }, () => {
  let server: TestServer;
  let client: Client;
  let dir: string;
  let env: NodeJS.ProcessEnv;
  let texts = 0;
  const topolog = (...args: string[]): Promise<Ended> => topologIn(env, ...args);
  const written = async (text: string): Promise<string> => {
    const file = path.join(dir, `${++texts}.yaml`);
    await writeFile(file, text);
    return file;
  };
  const applied = async (text: string): Promise<string> => {
    const { project_id } = await client.post('/v2/labs/apply', { body: { text, start: false } });
    return project_id;
  };
  const inside = async (project_id: string): Promise<string[]> => {
    const at = { path: { project_id } };
    const nodes = await client.get('/v2/projects/{project_id}/nodes', at);
    const links = await client.get('/v2/projects/{project_id}/links', at);
    const drawings = await client.get('/v2/projects/{project_id}/drawings', at);
    return [...nodes.map(({ name }) => name).sort(), `${links.length} links`, `${drawings.length} drawings`];
  };
  /** As somebody makes one on the page. */
  const handMade = async (name: string): Promise<string> => {
    const { project_id } = await client.post('/v2/projects', { body: { name } });
    const body = { name: 'PC1', node_type: 'simple_pc' as const, compute_id: 'local', x: 0, y: 0 };
    await client.post('/v2/projects/{project_id}/nodes', { path: { project_id }, body });
    return project_id;
  };

  before(async () => {
    server = await testServer();
    client = server.client();
    dir = await makeTemp('topolog-apply');
    env = { TOPOLOG_DATA_DIR: server.dataDir, USER: 'ada' };
  });
  after(() => server.close());

  it('removes nothing without --yes where nobody can be asked, and says what would go', async () => {
    const lab = await applied(textOf('Full', PC1, PC2) + CABLE);
    const square = '<svg width="9" height="9"></svg>';
    await client.post('/v2/projects/{project_id}/drawings', { path: { project_id: lab }, body: { svg: square } });
    const file = await written(`${textOf('Full', 'X: { kind: simple_pc }')}\ndrawings: []\n`);
    const refused = await topolog('apply', file, '--start');
    assert.equal(refused.code, 2, refused.stdout);
    assert.equal(refused.stdout, '');
    for (const said of ['  - node PC1\n', '  - node PC2\n', '  - link PC1:0', '  - drawing at 0, 0\n', '  + node X\n'])
      assert.ok(refused.stderr.includes(said), `${said} in ${refused.stderr}`);
    assert.match(refused.stderr, /2 nodes, 1 link and 1 drawing of Full would be removed.* --yes/);
    assert.deepEqual(await inside(lab), ['PC1', 'PC2', '1 links', '1 drawings']);
    const done = await topolog('apply', file, '--yes', '--json');
    assert.equal(done.code, 0, done.stderr);
    assert.equal((JSON.parse(done.stdout) as { changes: unknown[] }).changes.length, 5);
    assert.deepEqual(await inside(lab), ['X', '0 links', '0 drawings']);
  });

  it('asks for a link alone that goes, and not for what is added or changed', async () => {
    const lab = await applied(textOf('Cable', PC1, PC2) + CABLE);
    const cut = await topolog('apply', await written(textOf('Cable', PC1, PC2)));
    assert.match(cut.stderr, /1 link of Cable would be removed/);
    assert.deepEqual([cut.code, ...(await inside(lab))], [2, 'PC1', 'PC2', '1 links', '0 drawings']);
    const moved = PC2.replace('9', '77');
    const more = await topolog('apply', await written(textOf('Cable', PC1, moved, 'PC3: { kind: simple_pc }') + CABLE));
    assert.deepEqual([more.code, more.stderr], [0, '']);
    assert.deepEqual(await inside(lab), ['PC1', 'PC2', 'PC3', '1 links', '0 drawings']);
  });

  it('says that a lab of the name was not made from a text, and changes it only when told to', async () => {
    const lab = await handMade('By hand');
    const file = await written(textOf('By hand', PC1, PC2));
    const plan = await topolog('apply', file, '--plan');
    assert.deepEqual([plan.code, plan.stderr], [2, '']);
    assert.match(plan.stdout, /^note: By hand was not made from a text/m);
    const refused = await topolog('apply', file);
    assert.deepEqual([refused.code, refused.stdout], [2, ''], refused.stderr);
    assert.match(refused.stderr, /By hand was not made from a text.*--project.*--yes/);
    assert.deepEqual(await inside(lab), ['PC1', '0 links', '0 drawings']);
    // Who names the lab means it.
    const meant = await topolog('apply', file, '--project', 'By hand');
    assert.deepEqual([meant.code, meant.stderr], [0, '']);
    // From now on it is made from a text.
    const again = await topolog('apply', await written(textOf('By hand', PC1, PC2, 'PC3: { kind: simple_pc }')));
    assert.deepEqual([again.code, again.stderr], [0, '']);
  });

  it('says of a lab that another text made that it did', async () => {
    await applied(textOf('Twice', PC1));
    const refused = await topolog('apply', await written(textOf('Twice', PC2)));
    assert.match(refused.stderr, /Twice was made from another text, or from this one before it was changed/);
    const same = textOf('Twice', PC1);
    const lab = await applied(same);
    const at = { path: { project_id: lab } };
    const body = { name: 'Extra', node_type: 'simple_pc' as const, compute_id: 'local' };
    await client.post('/v2/projects/{project_id}/nodes', { ...at, body });
    const back = await topolog('apply', await written(same));
    assert.match(back.stderr, /- node Extra\n/);
    assert.doesNotMatch(back.stderr, /another text/);
  });

  it('fills an empty project of the name without asking', async () => {
    const { project_id } = await client.post('/v2/projects', { body: { name: 'Empty' } });
    const { code, stderr } = await topolog('apply', await written(textOf('Empty', PC1)));
    assert.deepEqual([code, stderr], [0, '']);
    assert.deepEqual(await inside(project_id), ['PC1', '0 links', '0 drawings']);
  });

  it('shows in the plan that a node which runs is restarted', async () => {
    const lab = await applied(textOf('Running', PC1, PC2));
    await client.post('/v2/projects/{project_id}/nodes/start', { path: { project_id: lab } });
    const changed = PC1.replace('at:', 'startup: "set pcname A", at:');
    const refused = await topolog('apply', await written(textOf('Running', changed)));
    assert.match(refused.stderr, / {2}~ node PC1, stopped for it and started again\n/);
    assert.match(refused.stderr, /1 to restart/);
  });

  it('asks at the terminal, with the plan in front', { skip: noTerminal }, async () => {
    const lab = await applied(textOf('Asked', PC1, PC2));
    const file = await written(textOf('Asked', PC1));
    const no = atTerminal(env, 'apply', file);
    assert.match(await no.until(/\[y\/N\] /), /-\S* node PC2\r\n[^]*1 node of Asked would be removed/);
    no.type('\r');
    assert.match(await no.until(/not applied/), /nothing was changed/);
    assert.equal(await no.ended, 1);
    assert.deepEqual(await inside(lab), ['PC1', 'PC2', '0 links', '0 drawings']);
    const gone = atTerminal(env, 'apply', file);
    await gone.until(/\[y\/N\] /);
    gone.type('\u0004');
    assert.equal(await gone.ended, 1, 'the end of the input is no yes');
    const yes = atTerminal(env, 'apply', file);
    await yes.until(/\[y\/N\] /);
    yes.type('yes\r');
    assert.match(await yes.until(/1 removed/), /Asked: 0 added, 0 changed, 1 removed/);
    assert.equal(await yes.ended, 0);
    assert.deepEqual(await inside(lab), ['PC1', '0 links', '0 drawings']);
  });

  it('of rm is told that nothing was deleted where the answer is no', { skip: noTerminal }, async () => {
    const lab = await applied(textOf('Stays', PC1));
    for (const answer of ['n\r', '\u0004']) {
      const asked = atTerminal(env, 'rm', 'Stays');
      await asked.until(/\[y\/N\] /);
      asked.type(answer);
      await asked.until(/not deleted/);
      assert.equal(await asked.ended, 1);
    }
    assert.deepEqual(await inside(lab), ['PC1', '0 links', '0 drawings']);
  });
});
