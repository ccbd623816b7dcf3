import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { programFile } from '../../src/common/package.ts';
import { type Podman, podmanLacks, startPodman } from '../support/podman.ts';
import { request, type ServerProcess, spawnServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';

type Bag = Record<string, unknown>;
interface Found {
  holds: boolean | null;
  text: string;
  evidence: { output?: string; code?: number | null; console?: string; probes?: { sent: number; lost: number } };
}

const lacks = await podmanLacks();

/** B has no shell at its console, and no ping. */
const LAB = (image: string): string => `
lab: inside
version: 1
nodes:
  A: { kind: container, properties: { image: ${image}, interfaces: [{ adapter: 0, addresses: [10.0.0.1/24] }] } }
  B:
    kind: container
    properties:
      image: ${image}
      start_command: sleep 100000
      interfaces: [{ adapter: 0, addresses: [10.0.0.2/24] }]
      commands: [rm /bin/ping]
links:
  - [A:0, B:0]
`;

describe('checks inside containers', { skip: lacks ?? false }, () => {
  let podman: Podman;
  let server: ServerProcess;
  let remove: () => Promise<void>;
  let project = '';
  let directory = '';
  const ask = async (method: string, where: string, body?: unknown): Promise<Bag> => {
    const answer = await request(server.url, method, `/v2${where}`, body);
    assert.ok(answer.status < 300, `${method} ${where}: ${answer.status} ${answer.text}`);
    return (answer.body ?? {}) as Bag;
  };
  /** The lab itself does not look at it meanwhile. */
  const look = async (check: Bag): Promise<Found> => {
    const { check_id } = await ask('POST', `${project}/checks`, { ...check, first: '1h' });
    return (await ask('POST', `${project}/checks/${String(check_id)}/look`, {})) as unknown as Found;
  };

  before(async () => {
    podman = await startPodman();
    const dir = await tempDir();
    remove = dir.remove;
    directory = dir.path;
    server = await spawnServer(path.join(dir.path, 'data'), ['--docker-host', `unix://${podman.socket}`]);
    const lab = await ask('POST', '/labs/apply', { text: LAB(podman.image), start: true });
    project = `/projects/${String(lab['project_id'])}`;
  });
  after(async () => {
    await server.kill('SIGTERM');
    await podman.close();
    await remove();
  });

  it('runs a command in a container, by a shell, and looks at how it ends', async () => {
    const good = await look({ exec: { node: 'A', run: 'cat /data/from-image && echo wrong >&2' } });
    assert.deepEqual([good.holds, good.text], [true, 'cat /data/from-image && echo wrong >&2 ended with 0']);
    assert.match(good.evidence.output ?? '', /from the image/);
    assert.match(good.evidence.output ?? '', /wrong/);
    const code = await look({ exec: { node: 'A', run: 'exit 7' } });
    assert.deepEqual([code.holds, code.evidence.code], [false, 7]);
    const none = await look({ exec: { node: 'A', run: 'no-such-program' } });
    assert.deepEqual([none.holds, none.evidence.code], [false, 127]);
  });

  it('looks at text and JSON', async () => {
    const shows = await look({ exec: { node: 'A', run: 'ip addr show dev eth0', matches: 'inet 10\\.0\\.0\\.1/24' } });
    assert.equal(shows.holds, true, shows.text);
    const run = `echo no >&2; echo '{"n":{"b":[{"state":"Full/DR"}]}}'`;
    const full = await look({ exec: { node: 'A', run, json: 'n.*.*.state', matches: '^Full', count: 1 } });
    assert.equal(full.holds, true, full.text);
  });

  it('ends what takes too long, with everything that it has started', async () => {
    const late = await look({ exec: { node: 'A', run: 'sleep 9000 & sleep 9001; echo done', timeout: '1s' } });
    assert.equal(late.holds, false);
    assert.match(late.text, /was not done within 1000 ms/);
    const left = await look({ exec: { node: 'A', run: 'ps', shows: 'sleep 900', not: true } });
    assert.equal(left.holds, true, left.evidence.output);
  });

  it('has topolog test fail where a command of a start fails, also in a topology file', async () => {
    const lab = (exec: string): string =>
      `name: starts\ntopology:\n  nodes:\n    a: { kind: linux, image: '${podman.image}', exec: [${exec}] }\n`;
    const checks = 'checks:\n  - exec: { node: a, run: test -e /ready }\n';
    await writeFile(path.join(directory, 'checks.yaml'), checks);
    const test = async (exec: string): Promise<[number, string]> => {
      await writeFile(path.join(directory, 'a.clab.yml'), lab(exec));
      const env = { ...process.env, DOCKER_HOST: `unix://${podman.socket}` };
      const args = [programFile('cli/topolog'), 'test', 'a.clab.yml', '--checks', 'checks.yaml'];
      const ended = await promisify(execFile)(process.execPath, args, { cwd: directory, env }).then(
        ({ stdout }) => ({ code: 0, stdout }),
        (error: unknown) => error as { code: number; stdout: string },
      );
      return [ended.code, ended.stdout];
    };
    const [code, said] = await test('touch /ready');
    assert.equal(code, 0, said);
    assert.match(said, /^ok +test -e \/ready at a [^]*1 of 1 passed/);
    const [failed, why] = await test('touch /ready, touch /no/such');
    assert.equal(failed, 1, why);
    assert.match(why, /FAILED +commands of a end well +command touch \/no\/such: it ended with code 1/);
    assert.match(why, /1 of 2 passed/);
  });

  it('pings from a container that has neither a shell at its console nor a ping', async () => {
    const reached = await look({ reach: { from: 'B', to: 'A' } });
    assert.deepEqual([reached.holds, reached.text], [true, 'B reaches A (10.0.0.1)']);
    const not = await look({ reach: { from: 'B', to: '10.0.0.9', not: true } });
    assert.equal(not.holds, true, not.text);
    const lost = await look({ loss: { from: 'B', to: 'A', under: 1, probes: 40 } });
    assert.deepEqual([lost.holds, lost.evidence.probes?.sent, lost.evidence.probes?.lost], [true, 40, 0], lost.text);
  });
});
