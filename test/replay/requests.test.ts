import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SYSTEM } from '../../src/events/event.ts';
import { type AnyEvent, type DataOf, type EventType, EVENTS } from '../../src/events/schemas.ts';
import type { LinkFields, NodeFields } from '../../src/events/fields.ts';
import { REQUESTS } from '../../src/replay/requests.ts';
import { planReplay } from '../../src/replay/steps.ts';
import { drawingData, PROJECT, projectData } from '../support/events.ts';

const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [A, B, L, D] = [id(10), id(11), id(20), id(30)];
const WHO = { principal: 'someone', address: '127.0.0.1', agent: null };

const node = (node_id: string, name: string): NodeFields => ({
  node_id,
  project_id: PROJECT,
  compute_id: 'local',
  kind: 'simple_pc',
  name,
  template_id: null,
  console: 5000,
  console_type: 'telnet',
  console_auto_start: false,
  properties: { usage: 'x' },
  label: { text: name },
  symbol: null,
  width: 65,
  height: 65,
  x: 1,
  y: 2,
  z: 1,
  locked: false,
  port_name_format: 'Ethernet{0}',
  port_segment_size: 0,
  first_port_name: null,
  custom_adapters: [],
  ports: [],
  node_directory: `/labs/${PROJECT}/project-files/vpcs/${node_id}`,
  extra: {},
  failure: null,
});
const end = (node_id: string) => ({ node_id, adapter_number: 0, port_number: 0, label: { text: '0/0' } });
const link: LinkFields = {
  link_id: L,
  project_id: PROJECT,
  link_type: 'ethernet',
  nodes: [end(A), end(B)],
  suspend: false,
  filters: { delay: [1, 0] },
  link_style: {},
  extra: {},
};
const of = { project_id: PROJECT };
const port = { adapter_number: 1, port_number: 2 };
const nio = { type: 'nio_null' };
const P = `/v2/projects/${PROJECT}`;
const C = `/v2/compute/projects/${PROJECT}/simple_pc/nodes/${A}/adapters/1/ports/2`;

type Sample<T extends EventType> = [data: DataOf<T>, request: string, body: object | null];
/** Every event that a request leads to, with that request. */
const SAMPLES: { [T in EventType]?: Sample<T> } = {
  'project.updated': [{ ...of, changes: { zoom: 50 } }, `PUT ${P}`, { zoom: 50 }],
  'project.open_requested': [of, `POST ${P}/open`, null],
  'project.close_requested': [of, `POST ${P}/close`, null],
  'project.deleted': [of, `DELETE ${P}`, null],
  'project.nodes_requested': [{ ...of, action: 'suspend' }, `POST ${P}/nodes/suspend`, null],
  'weather.started': [{ ...of, seed: 7, since: 1 }, `POST ${P}/weather/start`, { seed: 7, paused: true }],
  'weather.stepped': [
    { ...of, at: 1500, since: null, storms: ['rain'], down: [A], up: [] },
    `POST ${P}/weather/skip`,
    { to: 1.5 },
  ],
  'weather.ended': [{ ...of, at: 9 }, `POST ${P}/weather/end`, null],
  'project.restore_requested': [{ ...of, snapshot_id: D, running: [A] }, `POST ${P}/snapshots/${D}/restore`, null],
  'snapshot.created': [
    { ...of, snapshot_id: D, name: 'before', created_at: 1, files: 1, bytes: 2, manifest_sha256: 'abc' },
    `POST ${P}/snapshots`,
    { name: 'before', snapshot_id: D },
  ],
  'snapshot.deleted': [{ ...of, snapshot_id: D }, `DELETE ${P}/snapshots/${D}`, null],
  'node.created': [
    node(id(12), 'C'),
    `POST ${P}/nodes`,
    {
      node_id: id(12),
      node_type: 'simple_pc',
      name: 'C',
      template_id: null,
      console_type: 'telnet',
      console_auto_start: false,
      properties: { usage: 'x' },
      label: { text: 'C' },
      symbol: null,
      x: 1,
      y: 2,
      z: 1,
      locked: false,
      port_name_format: 'Ethernet{0}',
      port_segment_size: 0,
      first_port_name: null,
      custom_adapters: [],
    },
  ],
  'node.updated': [
    { ...of, node_id: A, changes: { name: 'R', console: 5009, ports: [], failure: null } },
    `PUT ${P}/nodes/${A}`,
    { name: 'R' },
  ],
  'node.deleted': [{ ...of, node_id: A }, `DELETE ${P}/nodes/${A}`, null],
  'node.start_requested': [
    { ...of, node_id: A, arguments: { destination: '10.0.0.1' } },
    `POST ${P}/nodes/${A}/start`,
    { destination: '10.0.0.1' },
  ],
  'node.stop_requested': [{ ...of, node_id: A }, `POST ${P}/nodes/${A}/stop`, null],
  'node.suspend_requested': [{ ...of, node_id: A }, `POST ${P}/nodes/${A}/suspend`, null],
  'node.resume_requested': [{ ...of, node_id: A }, `POST ${P}/nodes/${A}/start`, null],
  'node.reload_requested': [{ ...of, node_id: A }, `POST ${P}/nodes/${A}/reload`, null],
  'node.nio_added': [{ ...of, node_id: A, ...port, nio }, `POST ${C}/nio`, nio],
  'node.nio_updated': [{ ...of, node_id: A, ...port, nio }, `PUT ${C}/nio`, nio],
  'node.config_collected': [
    { ...of, node_id: A, files: [{ name: 'startup', content: 'ip dhcp' }], sha256: 'ab' },
    `POST ${P}/configs/collect`,
    { nodes: [A] },
  ],
  'node.nio_removed': [{ ...of, node_id: A, ...port }, `DELETE ${C}/nio`, null],
  'link.created': [
    link,
    `POST ${P}/links`,
    { link_id: L, nodes: [end(A), end(B)], suspend: false, filters: { delay: [1, 0] }, link_style: {} },
  ],
  'link.updated': [
    { ...of, link_id: L, changes: { nodes: [end(A), end(B)], suspend: true } },
    `PUT ${P}/links/${L}`,
    { nodes: [A, B].map((node_id) => ({ node_id, label: { text: '0/0' } })), suspend: true },
  ],
  'link.deleted': [{ ...of, link_id: L }, `DELETE ${P}/links/${L}`, null],
  'capture.start_requested': [
    { ...of, link_id: null, node_id: A, ...port, file_name: 'f.pcap', path: '/x/f.pcap', data_link_type: 'DLT_EN10MB' },
    `POST ${C}/start_capture`,
    { capture_file_name: 'f.pcap', data_link_type: 'DLT_EN10MB' },
  ],
  'capture.stop_requested': [{ ...of, link_id: L, node_id: A, ...port }, `POST ${P}/links/${L}/stop_capture`, null],
  'drawing.created': [
    { ...drawingData(1), drawing_id: D },
    `POST ${P}/drawings`,
    { drawing_id: D, x: 1, y: 0, z: 2, rotation: 0, locked: false, svg: '<svg></svg>' },
  ],
  'drawing.updated': [{ ...of, drawing_id: D, changes: { x: 5 } }, `PUT ${P}/drawings/${D}`, { x: 5 }],
  'drawing.deleted': [{ ...of, drawing_id: D }, `DELETE ${P}/drawings/${D}`, null],
};

interface Extra {
  by?: AnyEvent['by'];
  request_id?: string | null;
  cause?: number | null;
}

/** Events in order; each by a request of its own where nothing else is said. */
const recording = (...given: [EventType, object, Extra?][]): AnyEvent[] => {
  const beginning: [EventType, object, Extra?][] = [
    ['project.created', projectData(), { request_id: 'begin' }],
    ['node.created', node(A, 'A'), { request_id: 'begin' }],
    ['node.created', node(B, 'B'), { request_id: 'begin' }],
    ['project.open_requested', of, { request_id: 'begin' }],
    ['project.opened', of, { by: SYSTEM, request_id: null, cause: 4 }],
  ];
  return [...beginning, ...given].map(
    ([type, data, extra], i) =>
      ({
        ...{ position: i + 1, version: i + 1, project_id: PROJECT, v: 1, prev: '', hash: '', type, data },
        at: new Date(1_700_000_000_000 + i * 1000).toISOString(),
        ...{ by: WHO, request_id: `request ${i}`, cause: null, ...extra },
      }) as unknown as AnyEvent,
  );
};
const FIRST = 6;
const plan = (...given: [EventType, object, Extra?][]) => planReplay({ events: recording(...given), base: null });
const stepsOf = (...given: [EventType, object, Extra?][]): string[] =>
  plan(...given).steps.map((s) => `${s.method} ${s.path}`);
const refusal = (method: string, path: string, status: number, body: unknown = null, route = '/v2/x') => ({
  ...{ method, path, status, body, route, reason: 'no', count: 1 },
});

describe('an event without a cause', () => {
  for (const type of Object.keys(EVENTS) as EventType[]) {
    const sample = SAMPLES[type] as Sample<EventType> | undefined;
    it(`${type} ${sample === undefined ? 'comes of no request' : `comes of ${sample[1].replaceAll(PROJECT, '…')}`}`, () => {
      const make = REQUESTS[type] as ((data: unknown, kindOf: () => string) => object) | null;
      if (sample === undefined) return assert.equal(make, null);
      const [data, request, body] = sample;
      const [method = '', path] = request.split(' ');
      assert.deepEqual(
        make?.(data, () => 'simple_pc'),
        { method, path, body },
      );
    });
  }

  it('carries what its event shape says', () => {
    for (const [type, sample] of Object.entries(SAMPLES)) EVENTS[type as EventType].data.parse(sample[0]);
  });
});

describe('events of one request', () => {
  const shared = { request_id: 'one' };
  it('that stops and starts a node are a reload', () => {
    assert.deepEqual(
      stepsOf(
        ['node.stop_requested', { ...of, node_id: A }, shared],
        ['node.start_requested', { ...of, node_id: A, arguments: {} }, shared],
      ),
      [`POST ${P}/nodes/${A}/reload`],
    );
  });

  it('that stops a node, ends a capture and deletes links and the node are a deletion', () => {
    assert.deepEqual(
      stepsOf(
        ['node.stop_requested', { ...of, node_id: A }, shared],
        ['capture.stop_requested', { ...of, link_id: L, node_id: B, ...port }, shared],
        ['link.deleted', { ...of, link_id: L }, shared],
        ['node.deleted', { ...of, node_id: A }, shared],
      ),
      [`DELETE ${P}/nodes/${A}`],
    );
  });

  it('that create a node which always runs are its creation', () => {
    assert.deepEqual(
      stepsOf(
        ['node.created', node(id(12), 'S'), shared],
        ['node.start_requested', { ...of, node_id: id(12), arguments: {} }, shared],
      ),
      [`POST ${P}/nodes`],
    );
  });

  it('are found by their causes as well, whichever user they are by', () => {
    const [step] = plan(
      ['project.nodes_requested', { ...of, action: 'stop' }],
      ['node.stop_requested', { ...of, node_id: A }, { cause: FIRST }],
      ['drawing.created', { ...drawingData(1), drawing_id: D }],
      ['node.stopped', { ...of, node_id: A }, { by: SYSTEM, request_id: null, cause: FIRST + 1 }],
      ['project.nodes_finished', { ...of, action: 'stop', done: 1, failed: [] }, { cause: FIRST }],
    ).steps;
    assert.deepEqual(
      step?.events.map((f) => f.type),
      ['project.nodes_requested', 'node.stop_requested', 'node.stopped', 'project.nodes_finished'],
    );
    assert.equal(step.partial, false);
  });

  it('are two steps when a client gives one id to two requests', () => {
    assert.deepEqual(
      stepsOf(
        ['node.stop_requested', { ...of, node_id: A }, shared],
        ['node.start_requested', { ...of, node_id: B, arguments: {} }, shared],
        ['request.refused', refusal('PUT', `${P}/drawings/${D}`, 400), shared],
      ),
      [`POST ${P}/nodes/${A}/stop`, `POST ${P}/nodes/${B}/start`, `PUT ${P}/drawings/${D}`],
    );
  });

  it('without all of their outcomes are known to be incomplete', () => {
    assert.equal(plan(['node.stop_requested', { ...of, node_id: A }]).steps[0]?.partial, true);
  });
});

describe('a refused request', () => {
  it('is performed again with its own body, and expected to be refused', () => {
    const [step] = plan(['request.refused', refusal('POST', `${P}/nodes`, 409, { name: 'A' })]).steps;
    assert.deepEqual(
      [step?.method, step?.path, step?.body, step?.refused],
      ['POST', `${P}/nodes`, { name: 'A' }, { status: 409, reason: 'no' }],
    );
  });

  it('that had done a part of its work is one step with that', () => {
    const steps = plan(
      ['project.nodes_requested', { ...of, action: 'start' }, { request_id: 'one' }],
      ['project.nodes_finished', { ...of, action: 'start', done: 0, failed: [] }, { request_id: 'one', cause: FIRST }],
      ['request.refused', refusal('POST', `${P}/nodes/start`, 409), { request_id: 'one' }],
    ).steps;
    assert.deepEqual(
      steps.map((s) => [s.path, s.refused?.status, s.events.length]),
      [[`${P}/nodes/start`, 409, 2]],
    );
  });

  it('that came again and again is performed once', () => {
    const again = { ...refusal('POST', `${P}/nodes`, 400), count: 7 };
    assert.equal(
      stepsOf(['request.refused', refusal('POST', `${P}/nodes`, 400)], ['request.refused', again, { cause: FIRST }])
        .length,
      1,
    );
  });

  const leftOut = (data: object): void => {
    const { steps, notes } = plan(['request.refused', data]);
    assert.deepEqual([steps.length, notes.length], [0, 1], JSON.stringify(data));
  };
  it('is left out, with a note, where its body was not kept', () => {
    leftOut(refusal('POST', `${P}/nodes/start`, 400, 'it is no JSON object', '/v2/projects/{project_id}/nodes/start'));
    assert.equal(stepsOf(['request.refused', refusal('POST', `${P}/nope`, 404, 'not read', '*')]).length, 1);
  });
  it('is left out where it tells of the server and not of the lab', () => {
    for (const status of [401, 408, 503, 507]) leftOut(refusal('POST', `${P}/nodes`, status));
    leftOut(refusal('PUT', P, 409, { name: 'taken' }, '/v2/projects/{project_id}'));
    leftOut(refusal('PUT', `${P}/nodes/${A}`, 409, { console: 5000 }));
    leftOut(refusal('POST', `${P}/fork`, 409, { name: 'x' }, '/v2/projects/{project_id}/fork'));
  });
});

describe('a recording', () => {
  it('begins after the request that made its project', () => {
    const { base, steps } = plan(['drawing.created', { ...drawingData(1), drawing_id: D }]);
    assert.deepEqual([base.project.state, base.nodes.length, base.drawings.length, steps.length], ['opened', 2, 0, 1]);
  });

  it('ends where its project is deleted or replaced, and says so', () => {
    for (const type of ['project.deleted', 'project.replaced'] as const) {
      const { steps, notes } = plan(
        ['drawing.created', { ...drawingData(1), drawing_id: D }],
        [type, type === 'project.deleted' ? of : projectData()],
        ['drawing.deleted', { ...of, drawing_id: D }],
      );
      assert.equal(steps.length, 1);
      assert.match(notes[0]?.text ?? '', /^the replay ends here/);
    }
  });

  it('keeps apart what happened by itself', () => {
    const { steps, background, notes } = plan(
      ['node.exited', { ...of, node_id: A, code: 1, signal: null, output: '' }, { by: SYSTEM, request_id: null }],
      ['drawing.created', { ...drawingData(1), drawing_id: D }],
      ['node.lost', { ...of, node_id: A, reason: 'killed' }, { by: SYSTEM, request_id: null }],
      ['warning.raised', { message: 'x', node_id: null }, { by: SYSTEM, request_id: null }],
    );
    assert.deepEqual(
      background.map((f) => f.type),
      ['node.exited'],
    );
    assert.deepEqual(
      steps[0]?.awaits.map((f) => f.type),
      ['node.exited'],
    );
    assert.deepEqual(
      notes.map((n) => n.text),
      ["node.lost (the server's own doing) is not replayed"],
    );
  });
});
