import { randomUUID } from 'node:crypto';
import { type Duplex, PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Commands } from '../../src/actors/commands.ts';
import { notFound } from '../../src/common/errors.ts';
import type { Edit } from '../../src/projections/edits.ts';
import type { CollectionName, Collections, NodeRecord } from '../../src/projections/records.ts';
import type { FakeLab } from './fake-lab.ts';
import { compute, drawing, link, node, PROJECT, project, template } from './fake-records.ts';

/** What operations of kinds answer, by their path. */
const answers: Readonly<Record<string, unknown>> = {
  binaries: [{ path: '/usr/bin/qemu-system-x86_64', version: '7.2.22' }],
  'img-binaries': [{ path: '/usr/bin/qemu-img', version: '7.2.22' }],
  capabilities: { kvm: ['x86_64'] },
  vms: [],
  images: [{ image: 'busybox:latest' }],
  auto_idlepc: { idlepc: '0x60aa1da0' },
  idlepc_proposals: ['0x60aa1da0'],
  'interfaces/vmnet': { vmnet: 'vmnet2' },
};

const edit = (by: Edit['by']): Edit => ({
  ...{ position: 1, last: 1, at: '2026-01-01T00:00:00.000Z', by, request_id: 'r', undoes: null, action: 'create' },
  ...{ objects: [], counts: { project: 0, node: 1, link: 0, drawing: 0 } },
});

/** Commands that only merge into the records and remember how they were called. `mayFail` throws what was asked for. */
export const fakeCommands = (lab: Omit<FakeLab, 'commands' | 'failNext'>, mayFail: () => void): Commands => {
  const { records, calls, callers } = lab;
  const called = (name: string, caller: unknown, ...args: unknown[]): void => {
    calls.push([name, ...args]);
    callers.push(caller);
    mayFail();
  };
  const must = <C extends CollectionName>(collection: C, id: string): Collections[C] => {
    const record = records.get(collection, id);
    if (!record) throw notFound(collection, id);
    return record;
  };
  const merge = <C extends CollectionName>(collection: C, id: string, changes: object): Collections[C] =>
    records.put(collection, id, { ...must(collection, id), ...changes });
  const drop = (collection: CollectionName, id: string): void => {
    must(collection, id);
    records.delete(collection, id);
  };
  return {
    addCompute: async (caller, input) => {
      called('addCompute', caller, input);
      const compute_id = input.compute_id ?? randomUUID();
      return records.put(
        'compute',
        compute_id,
        compute({ compute_id, host: input.host, port: input.port, name: input.name ?? 'far' }),
      );
    },
    updateCompute: async (caller, id, changes) => {
      called('updateCompute', caller, id, changes);
      return merge('compute', id, changes);
    },
    removeCompute: async (caller, id) => {
      called('removeCompute', caller, id);
      drop('compute', id);
    },
    connectCompute: async (caller, id) => {
      called('connectCompute', caller, id);
      return must('compute', id);
    },
    drainCompute: async (caller, id, input) => {
      called('drainCompute', caller, id, input);
      return { moved: [], left: [] };
    },
    moveNodes: async (caller, projectId, nodes, input) => {
      called('moveNodes', caller, projectId, nodes, input);
      return { moved: [], left: [] };
    },
    createProject: async (caller, input) => {
      called('createProject', caller, input);
      const project_id = input.project_id ?? randomUUID();
      return records.put('project', project_id, project({ ...input, project_id }));
    },
    loadProject: async (caller, path) => {
      called('loadProject', caller, path);
      return must('project', PROJECT);
    },
    updateProject: async (caller, id, changes) => {
      called('updateProject', caller, id, changes);
      return merge('project', id, changes);
    },
    openProject: async (caller, id) => {
      called('openProject', caller, id);
      return merge('project', id, { state: 'opened' });
    },
    closeProject: async (caller, id) => {
      called('closeProject', caller, id);
      return merge('project', id, { state: 'closed' });
    },
    planLab: async ({ project_id }) => {
      mayFail();
      return { project_id: project_id ?? null, name: 'lab', changes: [], notes: [] };
    },
    applyLab: async (caller, input) => {
      called('applyLab', caller, input);
      return {
        project_id: input.project_id ?? randomUUID(),
        name: 'lab',
        changes: [],
        notes: [],
        position: null,
        failed: [],
        started: [],
      };
    },
    undo: async (caller, id, position) => {
      called('undo', caller, id, position);
      return { edit: edit(caller.by), changes: [], left: [] };
    },
    redo: async (caller, id, position) => {
      called('redo', caller, id, position);
      return { edit: edit(caller.by), changes: [], left: [] };
    },
    restore: async (caller, id, wish) => {
      called('restore', caller, id, wish);
      return { position: 1, changes: [], left: [] };
    },
    forkProject: async (caller, id, input) => {
      called('forkProject', caller, id, input);
      const project_id = randomUUID();
      return records.put('project', project_id, {
        ...must('project', id),
        project_id,
        name: input.name,
        state: 'closed',
      });
    },
    deleteProject: async (caller, id) => {
      called('deleteProject', caller, id);
      drop('project', id);
    },
    duplicateProject: async (caller, id, input) => {
      called('duplicateProject', caller, id, input);
      const project_id = randomUUID();
      const name = input.name ?? 'copy';
      return records.put('project', project_id, { ...must('project', id), project_id, name, state: 'closed' });
    },
    exportProject: async (id, options) => {
      called('exportProject', null, id, options);
      return { name: must('project', id).name, content: Readable.from(['archive']), leftOut: [] };
    },
    importProject: async (caller, id, input, { content }) => {
      const bytes = await text(content);
      called('importProject', caller, id, input, bytes);
      return records.put('project', id, project({ project_id: id, name: input.name ?? 'imported' }));
    },
    setWeather: async (caller, id, entries) => {
      called('setWeather', caller, id, entries);
      must('project', id);
      return must('project', id);
    },
    putWeather: async (caller, id, entry) => {
      called('putWeather', caller, id, entry);
      must('project', id);
      return { weather_id: entry.weather_id ?? randomUUID(), at: entry.at };
    },
    deleteWeather: async (caller, id, weatherId) => {
      called('deleteWeather', caller, id, weatherId);
      must('project', id);
      must('project', id);
    },
    startWeather: async (caller, id, start) => {
      called('startWeather', caller, id, start);
      must('project', id);
      return must('project', id);
    },
    pauseWeather: async (caller, id) => {
      called('pauseWeather', caller, id);
      must('project', id);
      return must('project', id);
    },
    resumeWeather: async (caller, id) => {
      called('resumeWeather', caller, id);
      must('project', id);
      return must('project', id);
    },
    skipWeather: async (caller, id, to) => {
      called('skipWeather', caller, id, to);
      must('project', id);
      return must('project', id);
    },
    endWeather: async (caller, id) => {
      called('endWeather', caller, id);
      must('project', id);
      return must('project', id);
    },
    createSnapshot: async (caller, projectId, { name, snapshot_id = randomUUID() }) => {
      called('createSnapshot', caller, projectId, name);
      must('project', projectId);
      const fields = { snapshot_id, project_id: projectId, name, created_at: 1, files: 0, bytes: 0 };
      return records.put('snapshot', snapshot_id, { ...fields, manifest_sha256: '', created: 1, changed: 1 });
    },
    deleteSnapshot: async (caller, { project_id: projectId, snapshot_id: id }) => {
      called('deleteSnapshot', caller, projectId, id);
      drop('snapshot', id);
    },
    restoreSnapshot: async (caller, { project_id: projectId, snapshot_id: id }) => {
      called('restoreSnapshot', caller, projectId, id);
      return must('project', projectId);
    },
    deleteImage: async (caller, kind, name) => called('deleteImage', caller, kind, name),
    deleteSymbol: async (caller, name) => called('deleteSymbol', caller, name),
    writeImage: async (caller, kind, name, { content }) => {
      const bytes = await text(content);
      called('writeImage', caller, kind, name, bytes);
      return { bytes: bytes.length, md5sum: '' };
    },
    operate: async (caller, kind, { method, path, args }) => {
      called('operate', caller, kind, method, path, args);
      return answers[path] ?? null;
    },
    operateNode: async (caller, { project_id: projectId, node_id: id }, { method, path, args }) => {
      called('operateNode', caller, projectId, id, method, path, args);
      return answers[path] ?? null;
    },
    copyNodeFiles: async (caller, { project_id: projectId, node_id: fromId }, toId) => {
      called('copyNodeFiles', caller, projectId, fromId, toId);
      return must('node', toId);
    },
    writeFile: async (caller, { project_id: projectId, node_id: nodeId, name }, { content }) => {
      must('project', projectId);
      if (nodeId !== null) must('node', nodeId);
      const bytes = await text(content);
      called('writeFile', caller, projectId, nodeId, name, bytes);
    },
    createNode: async (caller, projectId, input, names) => {
      called('createNode', caller, projectId, input, names);
      must('project', projectId);
      const { kind, ...rest } = input;
      const node_id = input.node_id ?? randomUUID();
      const made = node(kind, { node_id });
      const properties = { ...made.properties, ...input.properties };
      return records.put('node', node_id, { ...made, ...(rest as Partial<NodeRecord>), node_id, properties });
    },
    updateNode: async (caller, { project_id: projectId, node_id: id }, changes, names) => {
      called('updateNode', caller, projectId, id, changes, names);
      const properties = { ...must('node', id).properties, ...changes.properties };
      return merge('node', id, { ...changes, properties });
    },
    deleteNode: async (caller, { project_id: projectId, node_id: id }) => {
      called('deleteNode', caller, projectId, id);
      drop('node', id);
    },
    duplicateNode: async (caller, { project_id: projectId, node_id: id }, at) => {
      called('duplicateNode', caller, projectId, id, at);
      const node_id = randomUUID();
      return records.put('node', node_id, { ...must('node', id), ...at, node_id });
    },
    collectConfigs: async (caller, projectId, nodeIds) => {
      called('collectConfigs', caller, projectId, nodeIds);
      must('project', projectId);
      return [];
    },
    actOnNode: async (caller, { project_id: projectId, node_id: id }, action, args) => {
      called('actOnNode', caller, projectId, id, action, args);
      const state = { start: 'started', resume: 'started', reload: 'started', stop: 'stopped', suspend: 'suspended' };
      return merge('node', id, { state: state[action] });
    },
    actOnProject: async (caller, projectId, action) => {
      called('actOnProject', caller, projectId, action);
      must('project', projectId);
    },
    resetConsole: async (caller, { project_id: projectId, node_id: id }) => {
      called('resetConsole', caller, projectId, id);
      must('node', id);
    },
    openConsole: async ({ project_id: projectId, node_id: id }): Promise<Duplex> => {
      called('openConsole', null, projectId, id);
      const echo = new PassThrough();
      lab.consoles.push(echo);
      return echo;
    },
    batch: async (caller, projectId, steps) => {
      called('batch', caller, projectId, steps);
      return steps.map(() => null);
    },
    once: (_caller, _request, work) => work(),
    addNio: async (caller, { project_id: projectId, node_id: id, ...port }, nio) => {
      called('addNio', caller, projectId, id, port, nio);
      return nio;
    },
    updateNio: async (caller, { project_id: projectId, node_id: id, ...port }, nio) => {
      called('updateNio', caller, projectId, id, port, nio);
      return nio;
    },
    removeNio: async (caller, { project_id: projectId, node_id: id, ...port }) => {
      called('removeNio', caller, projectId, id, port);
    },
    startNodeCapture: async (caller, { project_id: projectId, node_id: id, ...port }, input) => {
      called('startNodeCapture', caller, projectId, id, port, input);
      const file_name = input.capture_file_name ?? 'capture.pcap';
      return { file_name, path: `/labs/lab/${file_name}`, data_link_type: 'DLT_EN10MB' };
    },
    stopNodeCapture: async (caller, { project_id: projectId, node_id: id, ...port }) => {
      called('stopNodeCapture', caller, projectId, id, port);
    },
    createLink: async (caller, projectId, input) => {
      called('createLink', caller, projectId, input);
      must('project', projectId);
      const link_id = input.link_id ?? randomUUID();
      return records.put('link', link_id, link({ link_id }));
    },
    updateLink: async (caller, { project_id: projectId, link_id: id }, changes) => {
      called('updateLink', caller, projectId, id, changes);
      return merge('link', id, { ...changes, nodes: must('link', id).nodes });
    },
    deleteLink: async (caller, { project_id: projectId, link_id: id }) => {
      called('deleteLink', caller, projectId, id);
      drop('link', id);
    },
    startLinkCapture: async (caller, { project_id: projectId, link_id: id }, input) => {
      called('startLinkCapture', caller, projectId, id, input);
      return merge('link', id, { state: 'capturing' });
    },
    stopLinkCapture: async (caller, { project_id: projectId, link_id: id }) => {
      called('stopLinkCapture', caller, projectId, id);
      return merge('link', id, { state: 'idle' });
    },
    flushCapture: async () => undefined,
    createDrawing: async (caller, projectId, input) => {
      called('createDrawing', caller, projectId, input);
      must('project', projectId);
      const drawing_id = input.drawing_id ?? randomUUID();
      return records.put('drawing', drawing_id, drawing({ ...input, drawing_id }));
    },
    updateDrawing: async (caller, { project_id: projectId, drawing_id: id }, changes) => {
      called('updateDrawing', caller, projectId, id, changes);
      return merge('drawing', id, changes);
    },
    deleteDrawing: async (caller, { project_id: projectId, drawing_id: id }) => {
      called('deleteDrawing', caller, projectId, id);
      drop('drawing', id);
    },
    createTemplate: async (caller, input) => {
      called('createTemplate', caller, input);
      const template_id = input.template_id ?? randomUUID();
      return records.put('template', template_id, template({ ...input, template_id }));
    },
    updateTemplate: async (caller, id, changes) => {
      called('updateTemplate', caller, id, changes);
      return merge('template', id, changes);
    },
    deleteTemplate: async (caller, id) => {
      called('deleteTemplate', caller, id);
      drop('template', id);
    },
    duplicateTemplate: async (caller, id) => {
      called('duplicateTemplate', caller, id);
      const template_id = randomUUID();
      return records.put('template', template_id, { ...must('template', id), template_id });
    },
    createNodeFromTemplate: async (caller, projectId, id, place) => {
      called('createNodeFromTemplate', caller, projectId, id, place);
      must('project', projectId);
      const { kind } = must('template', id);
      const node_id = randomUUID();
      return records.put('node', node_id, node(kind, { ...place, node_id, template_id: id }));
    },
    claimCompute: async (caller, { controller_id, name, epoch }, take) => {
      called('claimCompute', caller, controller_id, name, epoch, take);
      return records.put('claim', 'controller', { controller_id, name, epoch, created: 1, changed: 1 });
    },
    releaseCompute: async (caller, { controller_id, epoch }) => {
      called('releaseCompute', caller, controller_id, epoch);
      records.delete('claim', 'controller');
    },
    createCheck: async (caller, projectId, form) => {
      called('createCheck', caller, projectId, form);
      must('project', projectId);
      return { ...form, check_id: randomUUID() };
    },
    updateCheck: async (caller, at, form) => {
      called('updateCheck', caller, at, form);
      must('project', at.project_id);
      return { ...form, check_id: at.check_id };
    },
    deleteCheck: async (caller, at) => {
      called('deleteCheck', caller, at);
      must('project', at.project_id);
    },
    lastLookAt: () => null,
    lookAtCheck: async (at) => {
      called('lookAtCheck', null, at);
      must('project', at.project_id);
      return { holds: null, text: 'nobody looks', evidence: {} };
    },
    tryReach: async (project_id, reach) => {
      called('tryReach', null, project_id, reach);
      must('project', project_id);
      return { holds: null, text: 'nobody tries', evidence: {} };
    },
    storeSymbol: async (caller, name) => {
      called('storeSymbol', caller, name);
    },
    changeKindSetting: async (caller, kind, changes) => {
      called('changeKindSetting', caller, kind, changes);
      return { iourc_content: '', license_check: true, ...changes };
    },
    leaseUdpPort: async (projectId) => {
      called('leaseUdpPort', null, projectId);
      return 20000;
    },
    attend: (projectId) => {
      called('attend', null, projectId);
      return () => called('left', null, projectId);
    },
    leasedUdpPorts: () => [20000],
    attempt: async (_caller, work) => work(),
    refused: (_caller, refusal) => {
      lab.refusals.push(refusal);
    },
  };
};
