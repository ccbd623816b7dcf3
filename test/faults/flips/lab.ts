import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { cp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { makeDirectory } from '../../../src/common/durable.ts';
import { readConfig } from '../../../src/server/config.ts';
import { stageProject } from '../../../src/files/project/staged-project.ts';
import { stageUpload } from '../../../src/files/uploads.ts';
import { sealedLine } from '../../../src/http/access/users.ts';
import { type RunningServer, startServer } from '../../../src/main.ts';
import { loggerTo } from '../../support/logger.ts';
import { ownPlaces, request } from '../../support/server.ts';
import { basic, userLine } from '../../support/users.ts';

type Bag = Record<string, unknown>;

export const USER = basic('ada', 'correct horse');

const bag = (value: unknown): Bag => value as Bag;

/**
 * Makes a data directory with something of everything, `copy` of it as a kill would leave it: events in tables and in journals, records,
 * a recording, a capture, uploads, a snapshot, an image, a symbol, a template, texts of nodes and of one that was deleted, keys, users,
 * passwords, a licence, project files, and what was just being made. Nothing in it was written by a node that has run.
 */
export const makeLab = async (dataDir: string, copy: string): Promise<void> => {
  const config = readConfig(await ownPlaces(dataDir), {});
  assert.ok(config !== null);
  const first = await startServer(config, loggerTo());
  await fill(first.url).catch(closing(first));
  // What the first server wrote is in tables now, what the next one writes in a journal.
  await first.close('half');
  const second = await startServer(config, loggerTo());
  await fillMore(second.url).catch(closing(second));
  await writeFile(path.join(dataDir, 'users'), `${sealedLine(userLine('ada', 'correct horse').trim())}\n`, {
    mode: 0o600,
  });
  await cutOff(dataDir);
  // Sockets are no files that could be copied.
  await cp(dataDir, copy, { recursive: true, filter: (from) => path.basename(from) !== 'run' });
  await second.close('end');
};

const LAB = '00000000-0000-4000-8000-000000000001';
const TEXTS = '00000000-0000-4000-8000-000000000003';
const OTHER = '00000000-0000-4000-8000-000000000002';

const asker =
  (url: string) =>
  async (method: string, where: string, body?: unknown): Promise<unknown> => {
    const answer = await request(url, method, where, body);
    assert.ok(answer.status < 300, `${method} ${where}: ${answer.text}`);
    return answer.body;
  };

/** A test that fails is not kept from its end by a server that is left. */
const closing =
  (server: RunningServer) =>
  async (error: unknown): Promise<never> => {
    await server.close('the lab could not be made');
    throw error;
  };

/** What the end of a server leaves of an upload and of a project that were never answered. */
const cutOff = async (dataDir: string): Promise<void> => {
  const place = path.join(dataDir, 'projects', OTHER);
  const content = { content: Readable.from([Buffer.from('never answered')]), limit: Infinity };
  await stageUpload(place, randomUUID(), { root: place, name: 'notes.txt', version: 1 }, content);
  await makeDirectory(path.join(dataDir, 'staging'), 0o700);
  await (await stageProject(dataDir, path.join(dataDir, 'projects', randomUUID()))).ready();
};

const drawing = (x: number): Bag => ({ x, y: x, svg: `<svg><text>${randomBytes(1500).toString('hex')}</text></svg>` });

const fill = async (url: string): Promise<void> => {
  const ask = asker(url);
  const here = `/v2/projects/${LAB}`;
  await ask('POST', '/v2/projects', { name: 'lab', project_id: LAB, record_consoles: true });
  const nodes: string[] = [];
  for (const name of ['PC1', 'PC2']) {
    const made = await ask('POST', `${here}/nodes`, { name, node_type: 'simple_pc', compute_id: 'local' });
    nodes.push(String(bag(made)['node_id']));
  }
  const ends = nodes.map((node_id) => ({ node_id, adapter_number: 0, port_number: 0 }));
  const link = String(bag(await ask('POST', `${here}/links`, { nodes: ends }))['link_id']);
  await ask('POST', `${here}/nodes/start`, {});
  await ask('POST', `${here}/links/${link}/start_capture`, { capture_file_name: 'one.pcap' });
  for (let x = 0; x < 40; x++) await ask('POST', `${here}/drawings`, drawing(x));
  await ask('POST', `${here}/links/${link}/stop_capture`, {});
  await ask('POST', `${here}/nodes/stop`, {});
  await ask('POST', `${here}/files/notes.txt`, 'what it was\n'.repeat(50));
  await ask('POST', '/v2/compute/machine_emulator/images/disk.img', randomBytes(2000).toString('hex'));
  await ask('POST', '/v2/symbols/own.svg/raw', '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"></svg>');
  await ask('POST', `${here}/snapshots`, { name: 'then' });
  await ask('PUT', here, { variables: [{ name: 'DB_PASSWORD', value: 'correct horse' }] });
  const iourc_content = '[license]\nhost = 0123456789abcdef;\n';
  await ask('PUT', '/v2/iou_license', { iourc_content, license_check: true });
  const compute = {
    compute_id: 'far',
    protocol: 'http',
    host: '127.0.0.1',
    port: 9,
    user: 'ada',
    password: 'correct horse',
  };
  await ask('POST', '/v2/computes', compute);
  await ask('POST', '/v2/debug', {});
  const template = { name: 'PC', template_type: 'simple_pc', compute_id: 'local' };
  await ask('POST', '/v2/templates', template);
};

const fillMore = async (url: string): Promise<void> => {
  const ask = asker(url);
  // Its text is kept for an undo as long as the project is open.
  await ask('POST', '/v2/projects', { name: 'texts', project_id: TEXTS });
  for (const name of ['PC1', 'PC2']) {
    const node = {
      name,
      node_type: 'simple_pc',
      compute_id: 'local',
      properties: { startup_script: 'ip 10.0.0.1/24' },
    };
    const made = await ask('POST', `/v2/projects/${TEXTS}/nodes`, node);
    if (name === 'PC2') await ask('DELETE', `/v2/projects/${TEXTS}/nodes/${String(bag(made)['node_id'])}`);
  }
  await ask('POST', '/v2/projects', { name: 'other', project_id: OTHER });
  for (let x = 0; x < 10; x++) await ask('POST', `/v2/projects/${OTHER}/drawings`, drawing(x));
  await ask('PUT', `/v2/projects/${LAB}`, { name: 'lab that was renamed' });
  await ask('POST', `/v2/projects/${LAB}/nodes/start`, {});
  await ask('POST', `/v2/projects/${LAB}/nodes/stop`, {});
  await ask('POST', `/v2/projects/${LAB}/close`, {});
  await ask('POST', `/v2/projects/${OTHER}/close`, {});
};
