import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EVENTS, type AnyEvent, type DataOf, type EventType } from '../../src/events/schemas.ts';
import { fold } from '../../src/projections/fold/fold.ts';
import { Records } from '../../src/projections/store.ts';
import { drawingData, PROJECT, projectData } from '../support/events.ts';
import { eventOf, failure, LINK, linkData, NODE, nodeData, startedData } from '../support/events-of-node.ts';

type Given = { [T in EventType]: [T, DataOf<T>] }[EventType];
type Expected = Record<string, Record<string, unknown> | null>;

/** What is given before the event, the event, and the fields of the records it leads to (null: gone). */
interface Case<T extends EventType> {
  given?: Given[];
  data: DataOf<T>;
  then: Expected;
}

const ofProject = { project_id: PROJECT };
const ofNode = { node_id: NODE, project_id: PROJECT };
const ofLink = { link_id: LINK, project_id: PROJECT };
const { drawing_id } = drawingData(1);
const ofDrawing = { drawing_id, project_id: PROJECT };
const started = startedData();
const port = { adapter_number: 0, port_number: 1 };
const captured = { ...ofNode, link_id: null, ...port };
const linkCaptured = { ...ofNode, link_id: LINK, ...port };
const tunnel = [
  { compute_id: 'local', host: '192.0.2.2', lport: 20_000 },
  { compute_id: 'far', host: '192.0.2.1', lport: 20_001 },
];
const file = { file_name: 'a.pcap', path: '/labs/a.pcap', data_link_type: 'DLT_EN10MB' };

const project: Given = ['project.created', projectData()];
const node: Given = ['node.created', nodeData()];
const running: Given[] = [project, node, ['node.started', started]];
const link: Given = ['link.created', linkData()];
const drawing: Given = ['drawing.created', drawingData(1)];
const template_id = '00000000-0000-4000-a000-000000000001';
const templateData: DataOf<'template.created'> = {
  ...{ template_id, kind: 'simple_pc', name: 'PC', compute_id: 'local', default_name_format: 'PC{0}' },
  ...{ symbol: ':/symbols/vpcs_guest.svg', category: 'guest', settings: { usage: '' } },
};
const claim = (epoch: number) => ({ controller_id: PROJECT, name: 'desk', epoch });
const template: Given = ['template.created', templateData];
const snapshotData = {
  ...{ ...ofProject, snapshot_id: '00000000-0000-4000-a000-000000000001', name: 'before', created_at: 1_700_000_000 },
  ...{ files: 1, bytes: 20, manifest_sha256: 'abc' },
};
const snapshot: Given = ['snapshot.created', snapshotData];
const { snapshot_id } = snapshotData;
const restoring: Given = ['project.restore_requested', { ...ofProject, snapshot_id, running: [NODE] }];
const S = `snapshot/${snapshot_id}`;
const P = `project/${PROJECT}`;
const computeData: DataOf<'compute.added'> = {
  ...{ compute_id: 'far', name: 'far', protocol: 'http', host: '192.0.2.1', port: 3080, user: null },
};
const compute: Given = ['compute.added', computeData];
const told = { version: '2.2.60', topolog: null, node_types: ['vpcs'], platform: 'linux' };
const weather: Given = ['weather.started', { ...ofProject, seed: 7, since: 1000 }];
const applyRequested = {
  ...{ ...ofProject, format: 'yaml', sha256: 'ab', added: 1, changed: 0, removed: 0, restarted: 0 },
  after: { running: [NODE], moves: [] },
};
const C = 'compute/far';
const T = `template/${template_id}`;
const N = `node/${NODE}`;
const L = `link/${LINK}`;
const D = `drawing/${drawing_id}`;

const begun: Given = ['run.begun', ofProject];
const verdictData: DataOf<'check.met'> = {
  ...{ ...ofProject, check_id: 'c', name: 'PC1 reaches PC2', after_ms: 20, text: 'PC2 answers', evidence: {} },
};
const met: Given = ['check.met', verdictData];
const U = `run/${PROJECT}`;

const CASES: { [T in EventType]: Case<T> } = {
  'server.started': { data: { version: '1', pid: 1, recovered: {} }, then: {} },
  'server.stopped': { data: { reason: 'SIGTERM' }, then: {} },
  'server.took_over': { data: { server: 'b', name: 'lab2', from: 'a' }, then: {} },
  'request.refused': {
    data: { method: 'PUT', route: '/', path: '/', status: 409, reason: 'no', body: null, count: 1 },
    then: {},
  },
  'request.keyed': {
    data: { idempotency_id: 'ab', key: 'k', method: 'POST', path: '/v2/projects', body_sha256: 'cd' },
    then: {},
  },
  'request.answered': { data: { idempotency_id: 'ab', status: 201, body: '{}', kept: true }, then: {} },
  'event.lost': { data: {}, then: {} },
  'log.repaired': {
    given: [template],
    data: {
      ...{
        lost: [{ first: 1, last: 1 }],
        records_lost: [],
        events: 1,
        kept_as: 'log.damaged-1',
        public_key: '',
        signature: '',
      },
      records: [{ collection: 'template', id: template_id, record: null }],
    },
    then: { [T]: null },
  },
  'project.repaired': {
    given: [project],
    data: {
      ...ofProject,
      records: [{ collection: 'project', id: PROJECT, record: { ...projectData(), state: 'opened', created: 1 } }],
    },
    then: { [P]: { state: 'opened', created: 1, changed: 2 } },
  },
  'warning.raised': { data: { message: 'look', node_id: null }, then: {} },
  'project.created': {
    data: projectData(),
    then: { [P]: { ...projectData(), state: 'closed', created: 1, changed: 1 } },
  },
  'project.updated': {
    given: [project],
    data: { ...ofProject, changes: { zoom: 50 } },
    then: { [P]: { zoom: 50, name: 'lab 0001', created: 1, changed: 2 } },
  },
  'project.open_requested': { given: [project], data: ofProject, then: { [P]: { state: 'opening' } } },
  'project.opened': { given: [project], data: ofProject, then: { [P]: { state: 'opened' } } },
  'project.open_failed': {
    given: [project, ['project.open_requested', ofProject]],
    data: { ...ofProject, failure },
    then: { [P]: { state: 'closed' } },
  },
  'project.close_requested': {
    given: [project, ['project.opened', ofProject], ['project.unattended', ofProject]],
    data: ofProject,
    then: { [P]: { state: 'closing', unattended: undefined } },
  },
  'project.closed': {
    given: [project, ['project.opened', ofProject]],
    data: ofProject,
    then: { [P]: { state: 'closed' } },
  },
  'project.deleted': {
    given: [project, node, link, drawing, snapshot, begun],
    data: ofProject,
    then: { [P]: null, [N]: null, [L]: null, [D]: null, [S]: null, [U]: null },
  },
  'project.replaced': {
    given: [project, node, link, drawing, snapshot],
    data: { ...projectData(), name: 'other' },
    then: {
      [P]: { name: 'other', state: 'closed', created: 1, changed: 6 },
      ...{ [N]: null, [L]: null, [D]: null, [S]: { name: 'before' } },
    },
  },
  'project.file_written': {
    given: [project],
    data: { ...ofProject, file_sha256: 'abc' },
    then: { [P]: { file_sha256: 'abc' } },
  },
  'project.nodes_requested': {
    given: running,
    data: { ...ofProject, action: 'stop' },
    then: { [N]: { state: 'started' } },
  },
  'project.nodes_finished': {
    given: running,
    data: { ...ofProject, action: 'stop', done: 0, failed: [] },
    then: { [N]: { state: 'started' } },
  },
  'project.apply_requested': {
    given: [project],
    data: applyRequested,
    then: { [P]: { apply: { ...applyRequested.after, position: 2 } } },
  },
  'project.applied': {
    given: [project, ['project.apply_requested', applyRequested]],
    data: ofProject,
    then: { [P]: { apply: { ...applyRequested.after, position: 2, isNew: true } } },
  },
  'project.apply_finished': {
    given: [project, ['project.apply_requested', applyRequested]],
    data: { ...ofProject, failed: [] },
    then: { [P]: { apply: undefined, changed: 3 } },
  },
  'run.begun': {
    given: [project, begun, met],
    data: ofProject,
    then: {
      [U]: {
        ...{ is_over: false, position: 4, verdicts: {}, earned: { c: { after_ms: 20, position: 3 } } },
        ...{ created: 2, changed: 4 },
      },
    },
  },
  'run.ended': { given: [project, begun], data: ofProject, then: { [U]: { is_over: true, position: 2 } } },
  'check.met': {
    given: [project, begun],
    data: verdictData,
    then: { [U]: { earned: { c: { after_ms: 20, position: 3 } } } },
  },
  'check.broken': {
    given: [project, begun, met],
    data: { ...verdictData, text: 'PC2 does not answer', after_ms: 900 },
    then: { [U]: { earned: { c: { after_ms: 20, position: 3 } } } },
  },
  'project.unattended': { given: [project], data: ofProject, then: { [P]: { unattended: 2, state: 'closed' } } },
  'project.attended': {
    given: [project, ['project.unattended', ofProject]],
    data: ofProject,
    then: { [P]: { unattended: undefined, created: 1, changed: 3 } },
  },
  'project.restore_requested': {
    given: [project, ['project.opened', ofProject], snapshot],
    data: { ...ofProject, snapshot_id, running: [NODE] },
    then: { [P]: { state: 'restoring', restore: { snapshot_id, running: [NODE], staged: null } } },
  },
  'project.restored': {
    given: [project, ['project.opened', ofProject], snapshot, restoring],
    data: {
      ...{ ...ofProject, snapshot_id, position: 3, staged: 'there', extra: { old: 1 } },
      settings: { ...projectData(), name: 'as it was', record_consoles: false },
    },
    then: {
      [P]: { name: 'as it was', extra: { old: 1 }, state: 'opening', path: `/labs/${PROJECT}`, created: 1 },
    },
  },
  'project.restore_failed': {
    given: [project, ['project.opened', ofProject], snapshot, restoring],
    data: { ...ofProject, snapshot_id, failure },
    then: { [P]: { state: 'opened', restore: undefined } },
  },
  'snapshot.created': {
    given: [project],
    data: snapshotData,
    then: { [S]: { ...snapshotData, created: 2, changed: 2 } },
  },
  'snapshot.deleted': { given: [project, snapshot], data: { ...ofProject, snapshot_id }, then: { [S]: null } },
  'file.written': {
    given: [project, node],
    data: { ...ofNode, path: 'startup.vpc', bytes: 3, sha256: 'abc', upload: 'one' },
    then: { [N]: { changed: 2 }, [P]: { changed: 1 } },
  },
  'image.uploaded': {
    data: { kind: 'machine_emulator', filename: 'a.qcow2', bytes: 3, md5sum: 'abc', upload: 'one' },
    then: {},
  },
  'image.deleted': { data: { kind: 'machine_emulator', filename: 'a.qcow2' }, then: {} },
  'operation.requested': {
    given: [project, node],
    data: { ...ofNode, kind: 'simple_pc', operation: 'resize_disk', arguments: { extend: 1 } },
    then: {},
  },
  'operation.finished': {
    given: [project, node],
    data: { ...ofNode, kind: 'simple_pc', operation: 'resize_disk', failure: null },
    then: {},
  },

  'node.created': {
    given: [project],
    data: nodeData(),
    then: {
      [N]: {
        ...nodeData(),
        state: 'stopped',
        command_line: '',
        engine: null,
        pid: null,
        nios: {},
        captures: {},
        trace: null,
        recording: null,
        created: 2,
        changed: 2,
      },
    },
  },
  'node.updated': {
    given: [project, node],
    data: { ...ofNode, changes: { x: 5, template_id: null } },
    then: { [N]: { x: 5, y: 0, name: 'PC1', changed: 3, created: 2 } },
  },
  'node.deleted': { given: [project, node], data: ofNode, then: { [N]: null } },
  'node.restored': {
    given: [project, node, ['node.deleted', ofNode]],
    data: {
      ...{ ...nodeData(), x: 7, created: 2, command_line: 'ran so', engine: 'embedded', trace: null },
      nios: { '0/1': { type: 'nio_udp', lport: 1 } },
    },
    then: {
      [N]: {
        ...{ x: 7, created: 2, changed: 4, state: 'stopped', command_line: 'ran so', pid: null, recording: null },
        ...{ nios: { '0/1': { type: 'nio_udp', lport: 1 } }, captures: {} },
      },
    },
  },
  'node.start_requested': {
    given: [project, node, ['node.start_failed', { ...ofNode, failure }]],
    data: { ...ofNode, arguments: {} },
    then: { [N]: { state: 'starting', failure: null } },
  },
  'node.started': {
    given: [project, node, ['node.start_requested', { ...ofNode, arguments: {} }]],
    data: started,
    then: { [N]: { state: 'started', pid: 77, engine: 'embedded', command_line: 'run it', console: 11_001 } },
  },
  'node.start_failed': {
    given: [project, node],
    data: { ...ofNode, failure },
    then: { [N]: { state: 'stopped', pid: null, failure } },
  },
  'node.stop_requested': { given: running, data: ofNode, then: { [N]: { state: 'stopping', pid: 77 } } },
  'node.stopped': { given: running, data: ofNode, then: { [N]: { state: 'stopped', pid: null, engine: 'embedded' } } },
  'node.stop_failed': { given: running, data: { ...ofNode, failure }, then: { [N]: { state: 'started' } } },
  'node.suspend_requested': { given: running, data: ofNode, then: { [N]: { state: 'suspending' } } },
  'node.suspended': { given: running, data: ofNode, then: { [N]: { state: 'suspended', pid: 77 } } },
  'node.suspend_failed': { given: running, data: { ...ofNode, failure }, then: { [N]: { state: 'started' } } },
  'node.resume_requested': { given: running, data: ofNode, then: { [N]: { state: 'resuming' } } },
  'node.resumed': { given: running, data: ofNode, then: { [N]: { state: 'started' } } },
  'node.resume_failed': { given: running, data: { ...ofNode, failure }, then: { [N]: { state: 'suspended' } } },
  'node.reload_requested': { given: running, data: ofNode, then: { [N]: { state: 'reloading' } } },
  'node.reloaded': {
    given: running,
    data: { ...started, pid: 78, console: null },
    then: { [N]: { state: 'started', pid: 78, console: 11_001 } },
  },
  'node.reload_failed': { given: running, data: { ...ofNode, failure }, then: { [N]: { state: 'started' } } },
  'node.exited': {
    given: running,
    data: { ...ofNode, code: 1, signal: null, output: 'bye' },
    then: { [N]: { state: 'stopped', pid: null } },
  },
  'node.adopted': {
    given: running,
    data: { ...started, state: 'suspended' },
    then: { [N]: { state: 'suspended', pid: 77 } },
  },
  'node.lost': { given: running, data: { ...ofNode, reason: 'gone' }, then: { [N]: { state: 'stopped', pid: null } } },
  'node.recording_started': {
    given: [project, node],
    data: { ...ofNode, file: 'a.cast' },
    then: { [N]: { recording: 'a.cast' } },
  },
  'node.recording_stopped': {
    given: [project, node, ['node.recording_started', { ...ofNode, file: 'a.cast' }]],
    data: { ...ofNode, file: 'a.cast' },
    then: { [N]: { recording: null } },
  },
  'node.unreachable': {
    given: running,
    data: { ...ofNode, reason: 'away' },
    then: { [N]: { state: 'started', unreachable: 'away' } },
  },
  'node.reachable': {
    given: [...running, ['node.unreachable', { ...ofNode, reason: 'away' }]],
    data: ofNode,
    then: { [N]: { state: 'started', unreachable: undefined } },
  },
  'node.nio_added': {
    given: [project, node],
    data: { ...ofNode, ...port, nio: { type: 'nio_udp', lport: 1 } },
    then: { [N]: { nios: { '0/1': { type: 'nio_udp', lport: 1 } } } },
  },
  'node.nio_updated': {
    given: [project, node, ['node.nio_added', { ...ofNode, ...port, nio: { type: 'nio_udp', lport: 1 } }]],
    data: { ...ofNode, ...port, nio: { type: 'nio_udp', lport: 2 } },
    then: { [N]: { nios: { '0/1': { type: 'nio_udp', lport: 2 } } } },
  },
  'node.nio_removed': {
    given: [project, node, ['node.nio_added', { ...ofNode, ...port, nio: { type: 'nio_udp' } }]],
    data: { ...ofNode, ...port },
    then: { [N]: { nios: {} } },
  },
  'node.config_collected': {
    given: running,
    data: { ...ofNode, files: [{ name: 'startup.vpc', content: 'ip 10.0.0.1' }], sha256: 'ab' },
    then: { [N]: { config_sha256: 'ab' } },
  },
  'node.trace_finished': {
    given: running,
    data: { ...ofNode, destination: '10.0.0.1', reached: true, hops: [{ ttl: 1, address: '10.0.0.1', rtt_ms: 2 }] },
    then: {
      [N]: { trace: { destination: '10.0.0.1', reached: true, hops: [{ ttl: 1, address: '10.0.0.1', rtt_ms: 2 }] } },
    },
  },

  'link.created': {
    given: [project, node],
    data: linkData(),
    then: { [L]: { ...linkData(), state: 'idle', capture: null, created: 3, changed: 3 } },
  },
  'link.updated': {
    given: [project, node, link],
    data: { ...ofLink, changes: { suspend: true } },
    then: { [L]: { suspend: true, filters: {}, changed: 4 } },
  },
  'weather.started': {
    given: [project],
    data: { ...ofProject, seed: 7, since: 1000 },
    then: {
      [P]: {
        weather_run: { seed: 7, since: 1000, at: 0, stepped: -1, storms: [], down: [], up: [], cause: 2 },
        changed: 2,
      },
    },
  },
  'weather.stepped': {
    given: [project, weather],
    data: { ...ofProject, at: 50, since: 900, storms: ['rain'], down: [NODE], up: [] },
    then: {
      [P]: {
        weather_run: { seed: 7, since: 900, at: 50, stepped: 50, storms: ['rain'], down: [NODE], up: [], cause: 3 },
      },
    },
  },
  'weather.paused': {
    given: [project, weather],
    data: { ...ofProject, at: 60 },
    then: {
      [P]: { weather_run: { seed: 7, since: null, at: 60, stepped: -1, storms: [], down: [], up: [], cause: 3 } },
    },
  },
  'weather.resumed': {
    given: [project, weather],
    data: { ...ofProject, at: 60, since: 2000 },
    then: {
      [P]: { weather_run: { seed: 7, since: 2000, at: 60, stepped: -1, storms: [], down: [], up: [], cause: 3 } },
    },
  },
  'weather.ended': {
    given: [project, weather],
    data: { ...ofProject, at: 70 },
    then: { [P]: { weather_run: undefined, state: 'closed' } },
  },
  'link.tunnel_made': {
    given: [project, link],
    data: { ...ofLink, ends: tunnel },
    then: { [L]: { tunnel } },
  },
  'link.tunnel_joined': {
    given: [project, link, ['link.tunnel_made', { ...ofLink, ends: tunnel }]],
    data: ofLink,
    then: { [L]: { tunnel, joined: true } },
  },
  'link.unproved': {
    given: [project, link],
    data: { ...ofLink, reason: 'away' },
    then: { [L]: { unproved: 'away' } },
  },
  'link.proved': {
    given: [project, link, ['link.unproved', { ...ofLink, reason: 'away' }]],
    data: ofLink,
    then: { [L]: { unproved: undefined } },
  },
  'link.deleted': { given: [project, node, link], data: ofLink, then: { [L]: null, [N]: { name: 'PC1' } } },
  'link.restored': {
    given: [project, node, link],
    data: { ...linkData(), suspend: true, created: 3, capture: { ...file, node_id: NODE, ...port } },
    then: {
      [L]: { suspend: true, state: 'idle', capture: { ...file, node_id: NODE, ...port }, created: 3, changed: 4 },
    },
  },
  'capture.start_requested': {
    given: [project, node, link],
    data: { ...linkCaptured, ...file },
    then: { [L]: { state: 'capture_starting', capture: { ...file, node_id: NODE, ...port } }, [N]: { captures: {} } },
  },
  'capture.started': {
    given: [project, node, ['capture.start_requested', { ...captured, ...file }]],
    data: captured,
    then: { [N]: { captures: { '0/1': { ...file, state: 'capturing' } } } },
  },
  'capture.failed': {
    given: [project, node, ['capture.start_requested', { ...captured, ...file }]],
    data: { ...captured, failure },
    then: { [N]: { captures: {} } },
  },
  'capture.stop_requested': {
    given: [project, node, ['capture.start_requested', { ...captured, ...file }]],
    data: captured,
    then: { [N]: { captures: { '0/1': { ...file, state: 'stopping' } } } },
  },
  'capture.stopped': {
    given: [project, node, link, ['capture.start_requested', { ...linkCaptured, ...file }]],
    data: linkCaptured,
    // The last file can still be found.
    then: { [L]: { state: 'idle', capture: { ...file, node_id: NODE, ...port } } },
  },

  'drawing.created': {
    given: [project],
    data: drawingData(1),
    then: { [D]: { ...drawingData(1), created: 2, changed: 2 } },
  },
  'drawing.updated': {
    given: [project, drawing],
    data: { ...ofDrawing, changes: { x: 9 } },
    then: { [D]: { x: 9, y: 0, changed: 3 } },
  },
  'drawing.restored': {
    given: [project],
    data: { ...drawingData(1), x: 3, created: 1 },
    then: { [D]: { ...drawingData(1), x: 3, created: 1, changed: 2 } },
  },
  'drawing.deleted': { given: [project, drawing], data: ofDrawing, then: { [D]: null } },
  'compute.added': {
    data: computeData,
    then: { [C]: { ...computeData, connected: false, capabilities: null, last_error: null } },
  },
  'compute.updated': {
    given: [compute],
    data: { compute_id: 'far', changes: { port: 80 } },
    then: { [C]: { port: 80, host: '192.0.2.1' } },
  },
  'compute.removed': { given: [compute], data: { compute_id: 'far' }, then: { [C]: null } },
  'compute.connected': {
    given: [compute, ['compute.disconnected', { compute_id: 'far', reason: 'away' }]],
    data: { compute_id: 'far', ...told },
    then: { [C]: { connected: true, capabilities: told, last_error: null } },
  },
  'compute.disconnected': {
    given: [compute, ['compute.connected', { compute_id: 'far', ...told }]],
    data: { compute_id: 'far', reason: 'away' },
    then: { [C]: { connected: false, capabilities: told, last_error: 'away' } },
  },
  'template.created': {
    data: templateData,
    then: { [T]: { ...templateData, builtin: false, created: 1, changed: 1 } },
  },
  'template.updated': {
    given: [template],
    data: { template_id, changes: { name: 'Other', settings: { ram: 64 } } },
    then: { [T]: { name: 'Other', settings: { ram: 64 }, category: 'guest', created: 1, changed: 2 } },
  },
  'template.deleted': { given: [template], data: { template_id }, then: { [T]: null } },
  'symbol.deleted': { data: { file: 'a.svg' }, then: {} },
  'symbol.stored': { data: { file: 'a.svg', bytes: 9, sha256: 'ff' }, then: {} },
  'compute.claimed': {
    data: claim(2),
    given: [['compute.claimed', claim(1)]],
    then: { 'claim/controller': { ...claim(2), created: 2, changed: 2 } },
  },
  'compute.released': {
    given: [['compute.claimed', claim(1)]],
    data: { controller_id: PROJECT },
    then: { 'claim/controller': null },
  },
  'license.changed': { data: { license: 'iou', present: true }, then: {} },
};

const folded = (events: AnyEvent[]): Records => {
  const records = new Records();
  for (const event of events) records.apply(fold(records.committed, event));
  return records;
};

const events = (given: Given[]): AnyEvent[] => given.map(([type, data], i) => eventOf(type, data as never, i + 1));

describe('fold', () => {
  for (const type of Object.keys(EVENTS) as EventType[])
    it(`of ${type}`, () => {
      const { given = [], data, then } = CASES[type] as Case<EventType>;
      const event = eventOf(type, EVENTS[type].data.parse(data) as never, given.length + 1);
      const records = folded([...events(given), event]);
      const all = new Map([...records.all()].map(([collection, id, record]) => [`${collection}/${id}`, record]));
      for (const [key, expected] of Object.entries(then)) {
        const record = all.get(key) as Record<string, unknown> | undefined;
        if (expected === null) assert.equal(record, undefined, `${key} is still there`);
        else
          for (const [field, value] of Object.entries(expected))
            assert.deepEqual(record?.[field], value, `${key} ${field}`);
      }
    });

  it('leaves the project as it was for a text that an earlier version applied', () => {
    const { after: _, ...data } = applyRequested;
    const earlier: Given[] = [
      ['project.apply_requested', data],
      ['project.apply_finished', { ...ofProject, failed: [] }],
    ];
    const after = (given: Given[]) => folded(events(given)).committed.get('project', PROJECT);
    assert.deepEqual(after([project, ...earlier]), after([project]));
  });

  it('leaves records that it does not concern as they are, and the record before it too', () => {
    const before = folded(events([project, node, drawing]));
    const view = before.committed;
    const old = view.get('node', NODE);
    const frozen = JSON.stringify([...before.all()]);
    const changes = fold(view, eventOf('node.updated', { ...ofNode, changes: { x: 5 } }, 4));
    assert.deepEqual(
      changes.map(({ collection, id }) => `${collection}/${id}`),
      [N],
    );
    assert.equal(JSON.stringify([...before.all()]), frozen);
    before.apply(changes);
    assert.equal(old?.x, 0);
    assert.equal(view.get('node', NODE)?.x, 5);
  });

  it('makes nothing of events about what is gone', () => {
    for (const [type, data] of [
      ['node.stopped', ofNode],
      ['link.updated', { ...ofLink, changes: {} }],
      ['drawing.updated', { ...ofDrawing, changes: {} }],
      ['project.opened', ofProject],
      ['capture.stopped', captured],
    ] satisfies Given[])
      assert.deepEqual(fold(new Records().committed, eventOf(type, data as never)), []);
  });
});
