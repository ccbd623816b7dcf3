import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Cast, readCast, textOf } from '../support/asciicast.ts';
import { request, spawnServer, testServer, type TestServer } from '../support/server.ts';
import { fabricPid } from '../support/fabric-pid.ts';
import { tempDir } from '../support/temp.ts';

type Ask = (method: string, path_: string, body?: unknown) => ReturnType<typeof request>;
type Bag = Record<string, unknown>;
interface LoggedEvent {
  position: number;
  type: string;
  at: string;
  cause: number | null;
  data: Bag;
}
interface Listed {
  name: string;
  bytes: number;
  started_at: string;
  seconds: number | null;
  recording: boolean;
}

const ok = async (answer: ReturnType<typeof request>): Promise<Bag> => {
  const { status, body, text } = await answer;
  assert.ok(status < 300, `${status} ${text}`);
  return body as Bag;
};

/** A PC of a project, and what tests ask of it. */
const pc = async (ask: Ask, project_id: string, name: string) => {
  const body = { name, node_type: 'simple_pc' };
  const { node_id } = await ok(ask('POST', `/v2/projects/${project_id}/nodes`, body));
  return pcAt(ask, project_id, String(node_id));
};

const pcAt = (ask: Ask, project_id: string, node_id: string) => {
  const at = `/v2/projects/${project_id}/nodes/${node_id}`;
  return {
    at,
    node_id,
    start: async () => Number((await ok(ask('POST', `${at}/start`, {})))['console']),
    stop: () => ok(ask('POST', `${at}/stop`, {})),
    console: async () => Number((await ok(ask('GET', at)))['console']),
    list: async () => (await ok(ask('GET', `${at}/recordings`))) as unknown as Listed[],
    async cast(name: string): Promise<Cast> {
      const answer = await ask('GET', `${at}/recordings/${name}`);
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.headers.get('content-type'), 'application/x-asciicast');
      return readCast(answer.text);
    },
    async events(): Promise<LoggedEvent[]> {
      const { events } = await ok(ask('GET', `/v2/projects/${project_id}/events?node=${node_id}&limit=1000`));
      return events as LoggedEvent[];
    },
  };
};

/** A telnet client of a console, with everything it has been shown. */
const telnet = async (port: number): Promise<{ socket: Socket; shows: (wanted: RegExp) => Promise<string> }> => {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  let seen = '';
  let look: () => void = () => undefined;
  socket.on('data', (chunk: Buffer) => {
    seen += chunk.toString('latin1');
    look();
  });
  const shows = (wanted: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      look = () => {
        if (wanted.test(seen)) resolve(seen);
      };
      socket.once('close', () => reject(new Error(`the console was closed; it had shown: ${seen}`)));
      look();
    });
  return { socket, shows };
};

const NOTICE = /\[this console is being recorded\]\r\n/;

describe('a project that records its consoles', () => {
  let server: TestServer;
  let project_id = '';
  const ask: Ask = (method, path_, body) => server.request(method, path_, body);
  const setting = (record_consoles: boolean) => ok(ask('PUT', `/v2/projects/${project_id}`, { record_consoles }));

  before(async () => {
    server = await testServer();
    const project = await ok(ask('POST', '/v2/projects', { name: 'recorded', record_consoles: true }));
    assert.equal(project['record_consoles'], true);
    assert.equal(project['record_hidden_input'], false);
    project_id = String(project['project_id']);
  });
  after(() => server.close());

  it('has what was typed and printed, from the first byte to the last, on the clock of the events', async () => {
    const node = await pc(ask, project_id, 'PC1');
    const { socket, shows } = await telnet(await node.start());
    await shows(/PC1> $/);
    socket.write('echo caf\u00e9\r');
    await shows(/caf\u00c3\u00a9\r\n[^]*PC1> $/);
    const [growing] = await node.list();
    assert.deepEqual([growing?.seconds, growing?.recording], [null, true]);
    await node.stop();

    const [recording] = await node.list();
    assert.ok(recording !== undefined && !recording.recording && recording.seconds !== null);
    const cast = await node.cast(recording.name);
    assert.equal(cast.header['title'], 'PC1');
    assert.deepEqual(cast.header.topolog, { node_id: node.node_id, project_id, started_at: recording.started_at });
    assert.match(textOf(cast, 'o'), /^\r\nTopolog [^]*PC1> echo caf\u00e9\r\ncaf\u00e9\r\n[^]*PC1> $/);
    assert.doesNotMatch(textOf(cast, 'o'), NOTICE);
    assert.equal(textOf(cast, 'i'), 'echo caf\u00e9\r');
    const codes = cast.events.map(({ code }) => code);
    assert.equal(codes.at(-1), 'x');
    assert.ok(codes.indexOf('m') < codes.indexOf('i') && codes.indexOf('o') < codes.indexOf('i'));

    const events = await node.events();
    const at = (type: string): number => Date.parse(events.find((event) => event.type === type)?.at ?? '');
    const typed = cast.events.find(({ code }) => code === 'i')?.at ?? 0;
    assert.ok(at('node.start_requested') <= (cast.events[0]?.at ?? 0));
    assert.ok(at('node.started') <= typed && typed <= at('node.stop_requested'));
    assert.equal(recording.seconds, ((cast.events.at(-1)?.at ?? 0) - Date.parse(recording.started_at)) / 1000);
    const last = cast.events.at(-1)?.at ?? 0;
    assert.ok(at('node.stop_requested') <= last && last <= at('node.stopped'));
  });

  it('puts on the record that a recording began and ended, and because of what', async () => {
    const node = await pc(ask, project_id, 'PC2');
    await node.start();
    await node.stop();
    const events = await node.events();
    const file = (await node.list())[0]?.name;
    const shown = (await ask('GET', `${node.at}/recordings/${String(file)}`)).text;
    const sha256 = createHash('sha256').update(shown).digest('hex');
    for (const [type, cause, more] of [
      ['node.recording_started', 'node.started', {}],
      ['node.recording_stopped', 'node.stopped', { content: { bytes: Buffer.byteLength(shown), sha256 } }],
    ] as const) {
      const event = events.find((f) => f.type === type);
      assert.deepEqual(event?.data, { node_id: node.node_id, project_id, file, ...more });
      assert.equal(events.find(({ position }) => position === event?.cause)?.type, cause);
    }
  });

  it('tells every client, and has a file for each run of a node', async () => {
    const node = await pc(ask, project_id, 'PC3');
    const port = await node.start();
    const [first, second] = [await telnet(port), await telnet(port)];
    await first.shows(NOTICE);
    await second.shows(NOTICE);
    await ok(ask('POST', `${node.at}/reload`, {}));
    await node.stop();
    const names = (await node.list()).map(({ name }) => name);
    assert.equal(names.length, 2);
    assert.deepEqual([...names].sort(), names);
  });

  it('has a new file where a reload gives a node a new console', async () => {
    const properties = { engine: 'simulated' };
    const body = { name: 'VM1', node_type: 'machine_emulator', properties };
    const { node_id } = await ok(ask('POST', `/v2/projects/${project_id}/nodes`, body));
    const node = pcAt(ask, project_id, String(node_id));
    await node.start();
    await ok(ask('POST', `${node.at}/reload`, {}));
    assert.deepEqual(
      (await node.list()).map(({ recording }) => recording),
      [false, true],
    );
    const recordings = (await node.events()).filter(({ type }) => type.startsWith('node.recording_'));
    assert.deepEqual(
      recordings.map(({ type }) => type.slice('node.recording_'.length)),
      ['started', 'stopped', 'started'],
    );
    await node.stop();
  });

  it('follows its setting while nodes run, at once', async () => {
    const node = await pc(ask, project_id, 'PC4');
    const { socket, shows } = await telnet(await node.start());
    await shows(/PC4> $/);
    const say = async (word: string): Promise<void> => {
      socket.write(`echo ${word}\r`);
      await shows(new RegExp(`\r\n${word}\r\n[^]*PC4> $`));
    };
    await say('one');
    assert.equal((await setting(false))['record_consoles'], false);
    await shows(/no longer being recorded\]/);
    await say('two');
    await setting(true);
    await shows(/being recorded\][^]*being recorded\]/);
    await say('three');
    await node.stop();
    const names = (await node.list()).map(({ name }) => name);
    const casts = await Promise.all(names.map((name) => node.cast(name)));
    assert.deepEqual(
      casts.map((cast) => textOf(cast, 'i')),
      ['echo one\r', 'echo three\r'],
    );
    const all = await node.events();
    const types = all.map(({ type }) => type).filter((type) => type.startsWith('node.recording'));
    assert.deepEqual(types, [
      ...['node.recording_started', 'node.recording_stopped'],
      ...['node.recording_started', 'node.recording_stopped'],
    ]);
    const { events } = await ok(ask('GET', `/v2/projects/${project_id}/events?type=project.updated`));
    const causes = all.filter(({ type }) => type.startsWith('node.recording')).map(({ cause }) => cause);
    assert.deepEqual(
      causes.slice(1, 3),
      (events as LoggedEvent[]).slice(-2).map(({ position }) => position),
    );
  });

  it('keeps the setting beside its file only where it is on, and reads it back', async () => {
    const record = await ok(ask('GET', `/v2/projects/${project_id}`));
    const file = path.join(String(record['path']), String(record['filename']));
    const written = async (): Promise<Bag> => {
      await ok(ask('POST', `/v2/projects/${project_id}/close`, {}));
      const beside = await readFile(`${file}.topolog.json`, 'utf8').catch(() => '{}');
      assert.equal('record_consoles' in (JSON.parse(await readFile(file, 'utf8')) as Bag), false);
      const content = (JSON.parse(beside) as Bag)['settings'] ?? {};
      await ok(ask('POST', `/v2/projects/${project_id}/open`, {}));
      return content as Bag;
    };
    const on = await written();
    assert.equal(on['record_consoles'], true);
    const loaded = path.join(path.dirname(server.dataDir), 'copy.gns3');
    const other = '99999999-9999-4999-8999-999999999999';
    const content = JSON.parse(await readFile(file, 'utf8')) as Bag;
    // Earlier versions had it in the file itself.
    const earlier = { ...content, record_consoles: true, project_id: other, name: 'copy', topology: {} };
    await writeFile(loaded, JSON.stringify(earlier));
    const copy = await ok(ask('POST', '/v2/projects/load', { path: loaded }));
    assert.equal(copy['record_consoles'], true);
    await setting(false);
    assert.equal('record_consoles' in (await written()), false);
    await setting(true);
  });

  it('refuses names that are none and knows what is not there', async () => {
    const node = await pc(ask, project_id, 'PC5');
    assert.deepEqual(await node.list(), []);
    for (const name of ['..%2F..%2Flab.cast', '.cast', 'notes.txt'])
      assert.equal((await ask('GET', `${node.at}/recordings/${name}`)).status, 400, name);
    assert.equal((await ask('GET', `${node.at}/recordings/20261121T122700.123Z.cast`)).status, 404);
    const nobody = '88888888-8888-4888-8888-888888888888';
    assert.equal((await ask('GET', `/v2/projects/${project_id}/nodes/${nobody}/recordings`)).status, 404);
  });

  it('runs its nodes where no recording can be written, with a warning', async () => {
    const node = await pc(ask, project_id, 'PC6');
    const { path: place } = await ok(ask('GET', `/v2/projects/${project_id}`));
    const directory = path.join(String(place), 'project-files', 'recordings');
    await mkdir(directory, { recursive: true });
    // A file in the place of the directory.
    await writeFile(path.join(directory, node.node_id), '');
    const { shows } = await telnet(await node.start());
    await shows(/PC6> $/);
    const events = await node.events();
    assert.ok(!events.some(({ type }) => type === 'node.recording_started'));
    const warning = events.find(({ type }) => type === 'warning.raised');
    assert.match(String(warning?.data['message']), /console of PC6 is not recorded/);
    await node.stop();
  });
});

describe('a recording of a server that is killed', () => {
  it('goes on meanwhile and afterwards, in one file; without its fabric it begins again', async () => {
    const dir = await tempDir();
    let server = await spawnServer(dir.path);
    const ask: Ask = (method, path_, body) => request(server.url, method, path_, body);
    try {
      const { project_id } = await ok(ask('POST', '/v2/projects', { name: 'lab', record_consoles: true }));
      const node = await pc(ask, String(project_id), 'PC1');
      const { socket, shows } = await telnet(await node.start());
      await shows(/PC1> $/);
      await server.kill('SIGKILL');
      socket.write('echo nobody\r');
      await shows(/\r\nnobody\r\n[^]*PC1> $/);
      server = await spawnServer(dir.path);
      const [one, ...none] = await node.list();
      assert.ok(one !== undefined && one.recording && none.length === 0);

      await server.kill('SIGKILL');
      process.kill(await fabricPid(dir.path), 'SIGKILL');
      await once(socket, 'close');
      server = await spawnServer(dir.path);
      const port = await node.console();
      const again = await telnet(port);
      await again.shows(/PC1> $/);
      again.socket.write('echo again\r');
      await again.shows(/\r\nagain\r\n[^]*PC1> $/);
      await node.stop();
      const names = (await node.list()).map(({ name }) => name);
      assert.equal(names[0], one.name);
      assert.equal(names.length, 2);
      const [before, later] = await Promise.all(names.map((name) => node.cast(name)));
      assert.ok(before !== undefined && later !== undefined);
      assert.equal(textOf(before, 'i'), 'echo nobody\r');
      assert.equal(textOf(later, 'i'), 'echo again\r');
      const events = await node.events();
      assert.deepEqual(
        events.filter(({ type }) => type.startsWith('node.recording')).map(({ type, data }) => [type, data['file']]),
        [
          ['node.recording_started', names[0]],
          ['node.recording_stopped', names[0]],
          ['node.recording_started', names[1]],
          ['node.recording_stopped', names[1]],
        ],
      );
    } finally {
      await server.kill('SIGTERM');
      await dir.remove();
    }
  });
});
