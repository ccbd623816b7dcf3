import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { after, it } from 'node:test';
import { promisify } from 'node:util';
import { type Bag, id, startApi } from './api.ts';
import { waitFor } from '../support/wait-for.ts';

const P = '/v2/projects/{project_id}';
const C = `${P}/checks`;
const api = await startApi();
after(() => api.close());

const isInstalled = await promisify(execFile)('tcpdump', ['--version']).then(
  () => true,
  () => false,
);

/** Frames of a pcap file: milliseconds since 1970, and their octets (https://www.tcpdump.org/manpages/pcap-savefile.5.html). */
const framesOf = (file: Buffer): { at: number; bytes: Buffer }[] => {
  const frames: { at: number; bytes: Buffer }[] = [];
  for (let offset = 24; offset + 16 <= file.length;) {
    const length = file.readUInt32LE(offset + 8);
    const at = file.readUInt32LE(offset) * 1_000 + file.readUInt32LE(offset + 4) / 1_000;
    frames.push({ at, bytes: file.subarray(offset + 16, offset + 16 + length) });
    offset += 16 + length;
  }
  return frames;
};

const options = { timeout: 60_000, skip: isInstalled ? false : 'tcpdump is not installed' };

it('what a capture looks for is refused where it is no such expression, with its place', options, async () => {
  const project_id = await api.project();
  const at = { project_id };
  const pcs = [await api.node(project_id, 'simple_pc', { name: 'PC1' }), await api.node(project_id, 'simple_pc', {})];
  const nodes = pcs.map((pc) => ({ node_id: id(pc), adapter_number: 0, port_number: 0 }));
  const { link_id } = await api.get(201, `POST ${P}/links`, at, { nodes });
  const check = { capture: { link: link_id, filter: 'net 10.0.0.0/8', is: 'never' } };
  const wrong = { capture: { ...check.capture, filter: 'nett 1' } };
  const fieldOf = async (call: string, path: Record<string, string>, body: Bag): Promise<unknown> => {
    const answer = await api.get(400, call, path, body);
    assert.match(String(answer['message']), /filter bpf "nett 1"/);
    return answer['line'] ?? answer['field'];
  };
  const { check_id } = await api.get(201, `POST ${C}`, at, check);
  const one = { ...at, check_id: String(check_id) };
  assert.equal(await fieldOf(`POST ${C}`, at, wrong), 'capture.filter');
  assert.equal(await fieldOf(`PUT ${C}/{check_id}`, one, wrong), 'capture.filter');
  const list = [{ ...check, check_id: one.check_id }];
  assert.equal(
    await fieldOf(`PUT ${P}`, at, { checks: [...list, { ...wrong, check_id: project_id }] }),
    'checks.1.capture.filter',
  );
  const text =
    'lab: Wrong\nversion: 1\nnodes:\n  A: { kind: simple_pc }\n  B: { kind: simple_pc }\nlinks:\n  - [A, B]\nchecks:\n  - A reaches B\n  - capture: { link: [A, B], filter: nett 1, is: never }\n';
  for (const call of ['POST /v2/labs/plan', 'POST /v2/labs/apply'])
    assert.equal(await fieldOf(call, {}, { text, format: 'yaml' }), 10);
});

it('a frame that must never pass breaks its check, at the time that the capture of the link has', options, async () => {
  const project_id = await api.project();
  const at = { project_id };
  const pcs = [
    await api.node(project_id, 'simple_pc', { name: 'PC1', startup_script: 'ip 10.0.0.1/24\n' }),
    await api.node(project_id, 'simple_pc', { name: 'PC2', startup_script: 'ip 10.0.0.2/24\n' }),
  ];
  const nodes = pcs.map((pc) => ({ node_id: id(pc), adapter_number: 0, port_number: 0 }));
  const link_id = String((await api.get(201, `POST ${P}/links`, at, { nodes }))['link_id']);
  const capture = (filter: string, is: string) => ({ capture: { link: link_id, filter, is }, every: '50ms' });
  const make = async (body: Bag): Promise<{ project_id: string; check_id: string }> => ({
    ...at,
    check_id: String((await api.get(201, `POST ${C}`, at, body))['check_id']),
  });
  const resultOf = async (check: { project_id: string; check_id: string }): Promise<Bag> =>
    (await api.get(200, `GET ${C}/{check_id}`, check))['result'] as Bag;
  const until = (check: { project_id: string; check_id: string }, verdict: string): Promise<Bag> =>
    waitFor(`the check is ${verdict}`, async () => {
      const result = await resultOf(check);
      return result['verdict'] === verdict && result;
    });
  const never = await make(capture('icmp[icmptype] = icmp-echo', 'never'));
  const other = await make(capture('net 10.9.0.0/16', 'never'));
  const seen = await make({ ...capture('arp', 'seen'), before: '30s' });
  await api.get(204, `POST ${P}/nodes/start`, at, {});
  const { capture_file_path } = await api.get(201, `POST ${P}/links/{link_id}/start_capture`, { ...at, link_id }, {});
  await until(never, 'met');
  await until(other, 'met');
  // What it probes with is what must never pass.
  await make({ reach: { from: 'PC1', to: 'PC2' }, within: '30s', every: '100ms' });
  const broken = await until(never, 'broken');
  assert.match(String(broken['text']), /^frame \d+ from PC1 of icmp\[icmptype\] = icmp-echo passed PC1 – PC2$/);
  await until(seen, 'met');
  assert.equal((await resultOf(other))['verdict'], 'met');
  await api.get(201, `POST ${P}/links/{link_id}/stop_capture`, { ...at, link_id }, {});

  const { events } = (await api.get(200, `GET ${P}/events`, at)) as { events: { position: number; data: Bag }[] };
  const { evidence } = events.find(({ position }) => position === broken['position'])?.data as {
    evidence: { at: string; frame: { head: string; number: number; octets: number } };
  };
  const frames = framesOf(await readFile(String(capture_file_path)));
  const first = frames.find(({ bytes }) => bytes.readUInt16BE(12) === 0x0800 && bytes[23] === 1 && bytes[34] === 8);
  assert.ok(first !== undefined, 'the capture has no echo request');
  assert.equal(first.bytes.toString('hex').slice(0, evidence.frame.head.length), evidence.frame.head);
  const difference = Math.abs(Date.parse(evidence.at) - first.at);
  assert.ok(difference <= 50, `the check says ${evidence.at}, ${difference} ms from the capture`);
});
