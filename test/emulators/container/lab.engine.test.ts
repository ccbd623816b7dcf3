import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { on, once } from 'node:events';
import { access, readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { containersOf, inspect } from '../../../src/emulators/container/containers.ts';
import { openService } from '../../../src/emulators/container/service.ts';
import { findMarked, markOf } from '../../../src/processes/marker.ts';
import { type Console, openConsole } from '../../support/console.ts';
import { fabricPid } from '../../support/fabric-pid.ts';
import { networkOf, type Podman, podmanLacks, startPodman } from '../../support/podman.ts';
import { request, type ServerProcess, spawnServer } from '../../support/server.ts';
import { tempDir } from '../../support/temp.ts';

type Bag = Record<string, unknown>;

/** Two containers and an embedded PC at a switch, on a server that can be killed. */
class Lab {
  readonly dataDir: string;
  readonly podman: Podman;
  readonly project_id = randomUUID();
  readonly a = randomUUID();
  readonly b = randomUUID();
  readonly pc = randomUUID();
  server: ServerProcess | null = null;
  readonly #consoles: Console[] = [];

  constructor(dataDir: string, podman: Podman) {
    this.dataDir = dataDir;
    this.podman = podman;
  }

  async serve(): Promise<void> {
    this.server = await spawnServer(this.dataDir, ['--docker-host', `unix://${this.podman.socket}`]);
  }

  async ask(method: string, where: string, body?: unknown): Promise<Bag> {
    const answer = await request(
      this.server?.url ?? '',
      method,
      `/v2/projects${where === '' ? '' : '/'}${where}`,
      body,
    );
    assert.ok(answer.status < 300, `${method} ${where}: ${answer.status} ${answer.text}`);
    return (answer.body ?? {}) as Bag;
  }

  act(node_id: string, action: string): Promise<Bag> {
    return this.ask('POST', `${this.project_id}/nodes/${node_id}/${action}`, {});
  }

  node(node_id: string): Promise<Bag> {
    return this.ask('GET', `${this.project_id}/nodes/${node_id}`);
  }

  /** Resolves with a node's record once it is as it should be. */
  async until(node_id: string, is: (node: Bag) => boolean): Promise<Bag> {
    for (;;) {
      const node = await this.node(node_id);
      if (is(node)) return node;
    }
  }

  async build(): Promise<void> {
    const { project_id, a, b, pc } = this;
    const nodes = `${project_id}/nodes`;
    const common = { compute_id: 'local' };
    await this.ask('POST', '', { name: 'containers', project_id });
    for (const [node_id, name] of [
      [a, 'A'],
      [b, 'B'],
    ]) {
      const properties = {
        image: this.podman.image,
        environment: 'COLOUR=deep blue\n',
        extra_hosts: 'friend:10.0.0.3\n',
        extra_volumes: ['/data'],
        mac_address: name === 'A' ? '02:42:00:00:00:0a' : '02:42:00:00:00:0b',
      };
      await this.ask('POST', nodes, { ...common, name, node_type: 'docker', node_id, properties });
    }
    await this.ask('POST', nodes, { ...common, name: 'PC', node_type: 'vpcs', node_id: pc });
    const bridge = await this.ask('POST', nodes, { ...common, name: 'SW', node_type: 'ethernet_switch' });
    for (const [port_number, node_id] of [a, b, pc].entries())
      await this.ask('POST', `${project_id}/links`, {
        nodes: [
          { node_id, adapter_number: 0, port_number: 0 },
          { node_id: bridge['node_id'], adapter_number: 0, port_number },
        ],
      });
  }

  async console(node_id: string): Promise<Console> {
    return this.consoleAt(Number((await this.node(node_id))['console']));
  }

  async consoleAt(port: number): Promise<Console> {
    const console = await openConsole(port);
    this.#consoles.push(console);
    return console;
  }

  async end(): Promise<void> {
    for (const console of this.#consoles) console.close();
    await this.server?.kill('SIGTERM');
  }

  containers(node_id: string, mark: string): Promise<string[]> {
    return containersOf(openService(this.podman.socket), node_id, mark);
  }
}

const PROMPT = /\/ # [^/]*$/;
/** Every command has an end of its own: after a while the console says again what was said before. */
let commands = 0;
const sh = (console: Console, line: string): Promise<string> => {
  commands += 1;
  return console.type(`${line}; echo end-$((${commands} * 7))`, new RegExp(`end-${commands * 7}\\r\\n`));
};
const pings = (console: Console, address: string): Promise<string> => sh(console, `ping -c 3 -W 5 ${address}`);

/** What a check finds, and the result on the console, as soon as it finds something. */
const said = async (lab: Lab, check: Bag): Promise<string> => {
  const checks = `${lab.project_id}/checks`;
  const { check_id } = await lab.ask('POST', checks, { ...check, first: '1h' });
  for (;;) {
    const { holds, text, evidence } = await lab.ask('POST', `${checks}/${String(check_id)}/look`, {});
    const [, result = ''] = /^(.*packets transmitted.*)$/m.exec(String((evidence as Bag)['console'])) ?? [];
    if (holds !== null) return `${JSON.stringify(holds)} ${String(text)}; ${result}`;
  }
};

const lacks = await podmanLacks();

describe('containers in a lab', { skip: lacks ?? false }, () => {
  let lab: Lab;
  let podman: Podman;
  let remove: () => Promise<void>;
  let mark: string;
  let shell: Console;
  before(async () => {
    podman = await startPodman();
    const dir = await tempDir();
    remove = dir.remove;
    lab = new Lab(path.join(dir.path, 'data'), podman);
    await lab.serve();
    mark = await markOf(lab.dataDir);
    await lab.build();
  });
  after(async () => {
    await lab.end();
    await podman.close();
    await remove();
  });

  it('start to a shell at their console, with their interface there before anything runs', async () => {
    await lab.ask('POST', `${lab.project_id}/nodes/start`, {});
    shell = await lab.console(lab.a);
    await shell.until(PROMPT);
    assert.match(await sh(shell, 'cat /sys/class/net/eth0/address'), /\n02:42:00:00:00:0a/);
    assert.match(await sh(shell, 'echo "$COLOUR of $(hostname)"'), /\ndeep blue of A/);
    assert.match(await sh(shell, 'cat /etc/hosts'), /10\.0\.0\.3\s+friend/);
  });

  it('reach one another and a PC through the fabric', async () => {
    await sh(shell, 'ip addr add 10.0.0.2/24 dev eth0');
    const other = await lab.console(lab.b);
    await sh(other, 'ip addr add 10.0.0.3/24 dev eth0');
    other.close();
    const pc = await lab.console(lab.pc);
    await pc.type('ip 10.0.0.1/24', /10\.0\.0\.1[^]*> $/);
    assert.match(await pings(shell, '10.0.0.3'), / 0% packet loss/);
    assert.match(await pings(shell, '10.0.0.1'), / 0% packet loss/);
    assert.match(await pc.type('ping 10.0.0.2 -c 2', /icmp_seq=2[^]*> $/), /icmp_seq=2 ttl=64/);
    pc.close();
  });

  it('reach others in a check by a ping at their console, once nobody types there', async () => {
    const reach = { from: lab.a, to: '10.0.0.3' };
    assert.match(await said(lab, { reach }), /^true A reaches 10\.0\.0\.3; 2 packets transmitted, 2 packets received/);
    assert.match(await said(lab, { reach: { ...reach, to: lab.pc } }), /^true A reaches PC \(10\.0\.0\.1\);/);
    const nobody = { ...reach, to: '10.0.0.9' };
    assert.match(await said(lab, { reach: nobody }), /^false A does not reach 10\.0\.0\.9: .*0 packets received/);
    assert.match(await said(lab, { reach: { ...nobody, not: true } }), /^true A does not reach/);
  });

  it('count what a link loses in a check, by pings at their console', async () => {
    const loss = { from: lab.a, to: lab.pc, under: 1, probes: 40 };
    const none = await said(lab, { loss });
    assert.match(none, /^true 0 of 40 probes were lost between A and PC \(0 %\); 20 packets transmitted, 20 packets/);
    const links = (await lab.ask('GET', `${lab.project_id}/links`)) as unknown as Bag[];
    const link = links.find(({ nodes }) => (nodes as Bag[]).some(({ node_id }) => node_id === lab.pc));
    const filtered = (filters: Bag) =>
      lab.ask('PUT', `${lab.project_id}/links/${String(link?.['link_id'])}`, { filters });
    // Every second frame is lost, in both directions.
    await filtered({ frequency_drop: [2] });
    assert.match(await said(lab, { loss }), /^false (1[0-9]|20) of 20 probes were lost/);
    await filtered({});
  });

  it('take an interface down and up again, with frames arriving meanwhile', async () => {
    await sh(shell, 'ip link set eth0 down');
    const other = await lab.console(lab.b);
    assert.match(await other.type('ping -c 2 -W 1 10.0.0.2', /packet loss[^]*# [^/]*$/), /100% packet loss/);
    other.close();
    await sh(shell, 'ip link set eth0 up');
    assert.match(await pings(shell, '10.0.0.1'), / 0% packet loss/);
  });

  it('keep their volumes with the node, beginning with what the image has', async () => {
    const kept = path.join(lab.dataDir, 'projects', lab.project_id, 'project-files', 'docker', lab.a, 'data');
    assert.equal(await readFile(path.join(kept, 'from-image'), 'utf8'), 'from the image\n');
    await sh(shell, 'echo more > /data/own');
    assert.equal(await readFile(path.join(kept, 'own'), 'utf8'), 'more\n');
  });

  it('stand still while they are suspended, and go on where they were', async () => {
    await sh(shell, 'kept=in-memory');
    await lab.act(lab.a, 'suspend');
    assert.equal((await lab.node(lab.a))['status'], 'suspended');
    await lab.act(lab.a, 'start');
    assert.match(await sh(shell, 'echo $kept'), /\nin-memory/);
    assert.match(await pings(shell, '10.0.0.3'), / 0% packet loss/);
  });

  it('outlive a server that is killed, and the next one controls them', async () => {
    const { console: port } = await lab.node(lab.a);
    const before = await lab.containers(lab.a, mark);
    await lab.server?.kill('SIGKILL');
    // The console and the links are the fabric's: they go on meanwhile.
    assert.match(await pings(shell, '10.0.0.3'), / 0% packet loss/);
    await lab.serve();
    const now = await lab.node(lab.a);
    assert.deepEqual([now['console'], now['status']], [port, 'started']);
    assert.deepEqual(await lab.containers(lab.a, mark), before);
    assert.match(await sh(shell, 'echo $kept'), /\nin-memory/);
    await lab.act(lab.a, 'suspend');
    await lab.act(lab.a, 'start');
  });

  it('are found again when the fabric had to be replaced, with what their console said last', async () => {
    const { console: port } = await lab.node(lab.a);
    process.kill(await fabricPid(lab.dataDir), 'SIGKILL');
    shell.close();
    const reached = async (): Promise<Console> => {
      for (;;) {
        try {
          const console = await lab.consoleAt(Number(port));
          await console.until(/in-memory/);
          return console;
        } catch {
          // Until the new fabric has it.
        }
      }
    };
    shell = await reached();
    // The lines of the other one come back a moment later.
    for (let n = 0; n < 5; n++) if (/ 0% packet loss/.test(await pings(shell, '10.0.0.3'))) break;
    assert.match(await pings(shell, '10.0.0.3'), / 0% packet loss/);
  });

  it('are the same after a reload, with a new shell', async () => {
    const before = await lab.containers(lab.a, mark);
    await sh(shell, 'echo stays > /written');
    shell.close();
    await lab.act(lab.a, 'reload');
    assert.deepEqual(await lab.containers(lab.a, mark), before);
    shell = await lab.console(lab.a);
    await shell.until(PROMPT);
    assert.match(await sh(shell, 'cat /written; echo "[$kept]"'), /\nstays\r\n\[\]/);
    await sh(shell, 'ip addr add 10.0.0.2/24 dev eth0');
    assert.match(await pings(shell, '10.0.0.3'), / 0% packet loss/);
  });

  it('that end by themselves are reported with their exit code and last output, and leave nothing', async () => {
    const other = await lab.console(lab.b);
    await other.until(PROMPT);
    const ended = lab.until(lab.b, (node) => node['status'] === 'stopped');
    await other.type('echo the last words; exit 7', /last words\r\n/).catch(() => undefined);
    await ended;
    other.close();
    const history = JSON.stringify(await lab.ask('GET', `${lab.project_id}/nodes/${lab.b}/history`));
    assert.match(history, /"code":7,/);
    assert.match(history, /the last words/);
    assert.deepEqual(await lab.containers(lab.b, mark), []);
  });

  it('leave nothing when the lab is stopped, but their volumes', async () => {
    await lab.ask('POST', `${lab.project_id}/nodes/stop`, {});
    const place = { project_id: lab.project_id };
    for (const node_id of [lab.a, lab.b]) {
      assert.deepEqual(await lab.containers(node_id, mark), []);
      assert.deepEqual(await networkOf({ ...place, node_id }, mark), []);
    }
    assert.deepEqual(await findMarked(mark), []);
    await access(path.join(lab.dataDir, 'projects', lab.project_id, 'project-files', 'docker', lab.a, 'data', 'own'));
  });

  it('publish ports of theirs, and start with a warning where a port is taken', async () => {
    const node = `${lab.project_id}/nodes/${lab.b}`;
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port: there } = taken.address() as AddressInfo;
    const free = createServer().listen(0, '127.0.0.1');
    await once(free, 'listening');
    const { port: here } = free.address() as AddressInfo;
    await new Promise((resolve) => free.close(resolve));
    const published = [there, here].map((port) => ({ port, to: 80 }));
    await lab.ask('PUT', node, { properties: { published, commands: ['httpd -h /data'] } });
    await lab.act(lab.b, 'start');
    const page = async (): Promise<string> => {
      for (;;) {
        const answer = await fetch(`http://127.0.0.1:${here}/from-image`).catch(() => null);
        if (answer !== null) return answer.text();
      }
    };
    assert.equal(await page(), 'from the image\n');
    const history = JSON.stringify(await lab.ask('GET', `${node}/history`));
    assert.ok(history.includes(`port ${there} of the machine is taken: port 80 is not published there`), history);
    await lab.act(lab.b, 'stop');
    await new Promise((resolve) => taken.close(resolve));
    assert.deepEqual(await findMarked(mark), []);
    await lab.ask('PUT', node, { properties: { published: [], commands: [] } });
  });

  it('publish UDP ports of theirs: everybody who asks has the answers to what they asked', async () => {
    const node = `${lab.project_id}/nodes/${lab.b}`;
    const [taken, free] = [createSocket('udp4').bind(0, '127.0.0.1'), createSocket('udp4').bind(0, '127.0.0.1')];
    await Promise.all([taken, free].map((socket) => once(socket, 'listening')));
    const [there, here] = [taken.address().port, free.address().port];
    free.close();
    const published = [there, here].map((port) => ({ port, to: 5353, protocol: 'udp' }));
    await lab.ask('PUT', node, { properties: { published } });
    await lab.act(lab.b, 'start');
    const history = JSON.stringify(await lab.ask('GET', `${node}/history`));
    assert.ok(history.includes(`port ${there} of the machine is taken: port 5353 is not published there`), history);
    const program =
      "const s = require('dgram').createSocket('udp4'); s.bind(5353, () => console.log('ready'));" +
      "s.on('message', (m, r) => s.send('answer to ' + m, r.port, r.address)); process.stdin.on('end', process.exit).resume();";
    const [container = ''] = await lab.containers(lab.b, mark);
    const state = await inspect(openService(podman.socket), container);
    const inside = spawn('nsenter', ['--target', `${state?.pid}`, '--net', process.execPath, '-e', program], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    await once(inside.stdout, 'data');
    const asking = await Promise.all(
      ['first', 'second', 'third'].map(async (name) => {
        const socket = createSocket('udp4');
        socket.connect(here, '127.0.0.1');
        await once(socket, 'connect');
        return { name, socket, answers: [] as string[] };
      }),
    );
    const complete = asking.map(async ({ socket, answers }) => {
      for await (const [answer] of on(socket, 'message')) if (answers.push(String(answer)) === 2) return;
    });
    for (const { name, socket } of asking) for (const n of [1, 2]) socket.send(`${name} ${n}`);
    await Promise.all(complete);
    for (const { name, socket, answers } of asking) {
      assert.deepEqual(answers, [`answer to ${name} 1`, `answer to ${name} 2`]);
      socket.close();
    }
    inside.stdin.end();
    await lab.act(lab.b, 'stop');
    taken.close();
    assert.deepEqual(await findMarked(mark), []);
    await lab.ask('PUT', node, { properties: { published: [] } });
  });

  it('show a web page of theirs at a port of this machine', async () => {
    const node = `${lab.project_id}/nodes/${lab.b}`;
    const start_command = 'httpd -f -h /data';
    await lab.ask('PUT', node, { console_type: 'http', properties: { start_command, console_http_port: 80 } });
    await lab.act(lab.b, 'start');
    const { console: port } = await lab.node(lab.b);
    const page = async (): Promise<string> => {
      for (;;) {
        const answer = await fetch(`http://127.0.0.1:${Number(port)}/from-image`).catch(() => null);
        if (answer !== null) return answer.text();
      }
    };
    assert.equal(await page(), 'from the image\n');
    await lab.act(lab.b, 'stop');
    assert.deepEqual(await findMarked(mark), []);
  });

  it('with an image that cannot be had are refused with the reason and what to do', async () => {
    const node = `${lab.project_id}/nodes/${lab.b}`;
    await lab.ask('PUT', node, { properties: { image: 'localhost:1/nothing' } });
    const answer = await request(lab.server?.url ?? '', 'POST', `/v2/projects/${node}/start`, {});
    assert.equal(answer.status, 409);
    assert.match(answer.text, /image localhost:1\/nothing:latest is not there and cannot be pulled .* docker pull/);
    assert.deepEqual(await lab.containers(lab.b, mark), []);
  });
});
