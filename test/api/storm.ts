import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { framesOf } from '../faults/labs/captured.ts';
import { testServer } from '../support/server.ts';

const LAB = `
lab: storm
version: 1
nodes:
  PC1: { kind: simple_pc, startup: "ip 10.0.0.1/24\\n" }
  PC2: { kind: simple_pc, startup: "ip 10.0.0.2/24\\n" }
  SW1: { kind: ethernet_switch }
  SW2: { kind: ethernet_switch }
links:
  - [PC1:0, SW1:0]
  - [SW1:1, SW2:1]
  - [SW2:0, PC2:0]
weather:
  - links: [[SW1, SW2]]
    filters: { "packet_loss>": [20], "duplicate>": [15], "delay>": [200], "reorder>": [30] }
`;
export const PROBES = 300;
/** Between what goes at once and what has its delay. Milliseconds. */
const LATE = 100;

/** What became of each request in a storm, on a server with a fabric and ids of its own: how often it came through, and whether late. */
export const fates = async (seed: number, flags: string[] = []): Promise<string[]> => {
  const server = await testServer(flags);
  try {
    const done = async (method: string, path: string, body?: unknown): Promise<Record<string, unknown>> => {
      const answer = await server.request(method, `/v2${path}`, body);
      assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
      return (answer.body ?? {}) as Record<string, unknown>;
    };
    const { project_id } = await done('POST', '/labs/apply', { text: LAB, start: true });
    const project = `/projects/${String(project_id)}`;
    const check = async (
      body: object,
    ): Promise<() => Promise<{ holds?: boolean; evidence?: { probes?: { sent: number } } }>> => {
      const { check_id } = await done('POST', `${project}/checks`, { ...body, first: '1h' });
      return () => done('POST', `${project}/checks/${String(check_id)}/look`, {});
    };
    const reaches = await check({ reach: { from: 'PC1', to: 'PC2' } });
    while ((await reaches()).holds !== true);
    const storm = await check({ loss: { from: 'PC1', to: 'PC2', under: 100, probes: PROBES } });
    const links = (await done('GET', `${project}/links`)) as unknown as {
      link_id: string;
      nodes: { node_id: string }[];
    }[];
    const nodes = (await done('GET', `${project}/nodes`)) as unknown as { name: string; node_id: string }[];
    const linkOf = (name: string): string => {
      const node = nodes.find((one) => one.name === name)?.node_id;
      return links.find((one) => one.nodes.some(({ node_id }) => node_id === node))?.link_id ?? '';
    };
    const ends = [linkOf('PC1'), linkOf('PC2')];
    const files: string[] = [];
    for (const link of ends)
      files.push(String((await done('POST', `${project}/links/${link}/start_capture`))['capture_file_path']));
    await done('POST', `${project}/weather/start`, { seed });
    assert.equal((await storm()).evidence?.probes?.sent, PROBES);
    for (const link of ends) await done('POST', `${project}/links/${link}/stop_capture`);
    const [sent = [], came = []] = await Promise.all(files.map(requestsIn));
    return sent.map(({ number, at }) => {
      const copies = came.filter((one) => one.number === number);
      const late = copies.filter((one) => one.at - at > LATE).length;
      return `${number}: ${copies.length}, ${late} of them late`;
    });
  } finally {
    await server.close();
  }
};

/** Echo requests of a capture, by their numbers in their series. */
const requestsIn = async (file: string): Promise<{ number: number; at: number }[]> =>
  framesOf(await readFile(file))
    .filter(({ bytes }) => bytes.readUInt16BE(12) === 0x0800 && bytes[34] === 8)
    .map(({ bytes, at }) => ({ number: bytes.readUInt16BE(40), at }));
