import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DataOf, EventType } from '../../src/events/schemas.ts';
import type { FeedKind } from '../../src/http/feed/frame.ts';
import { createFramer } from '../../src/http/feed/framer.ts';
import { createJson } from '../../src/http/v2/json.ts';
import { Records } from '../../src/projections/store.ts';
import { drawingData, PROJECT, projectData } from '../support/events.ts';
import { eventOf, failure, LINK, linkData, NODE, nodeData, startedData } from '../support/events-of-node.ts';
import { kinds } from './fake-records.ts';

type Given = { [T in EventType]: [type: T, data: DataOf<T>, cause?: number] }[EventType];

const framer = createFramer({
  kinds,
  json: createJson({
    kinds,
    console_host: '127.0.0.1',
    compute_id: 'local',
    computes: () => [],
    isHere: () => true,
    emit: (token) => token,
    gns3Compat: false,
  }),
});

/** Actions on each feed of the last of these events. */
const framesOf = (given: Given[]): Record<FeedKind, { action: string; event: Record<string, unknown> }[]> => {
  const records = new Records();
  const steps = given.map(([type, data, cause = null], i) =>
    records.advance({ ...eventOf(type, data as never, i + 1), cause }),
  );
  const step = steps.at(-1) ?? assert.fail('nothing given');
  const on = (feed: FeedKind) =>
    framer(feed, step).map(({ action, event }) => ({ action, event: JSON.parse(event) as Record<string, unknown> }));
  return { controller: on('controller'), project: on('project'), compute: on('compute') };
};

const ofProject = { project_id: PROJECT };
const ofNode = { node_id: NODE, project_id: PROJECT };
const ofLink = { link_id: LINK, project_id: PROJECT };
const { drawing_id } = drawingData(1);
const ofDrawing = { drawing_id, project_id: PROJECT };
const port = { adapter_number: 0, port_number: 0 };
const captured = { ...ofNode, link_id: LINK, ...port };
const file = { file_name: 'a.pcap', path: '/labs/a.pcap', data_link_type: 'DLT_EN10MB' };

const created: Given[] = [['project.created', projectData()]];
const opened: Given[] = [...created, ['project.opened', ofProject]];
const node: Given[] = [...opened, ['node.created', nodeData()]];
const running: Given[] = [...node, ['node.started', startedData()]];
const link: Given[] = [...running, ['link.created', linkData()]];
const capturing: Given[] = [
  ...link,
  ['capture.start_requested', { ...captured, ...file }],
  ['capture.started', captured],
];
const drawing: Given[] = [...opened, ['drawing.created', drawingData(1)]];
const exited = (code: number): Given => ['node.exited', { ...ofNode, code, signal: null, output: 'panic\n' }];

/** What is given, the last of it, and what the three feeds say then. */
const TABLE: [Given[], Given, { controller?: string[]; project?: string[]; compute?: string[] }][] = [
  [[], ['project.created', projectData()], { controller: ['project.created'], project: ['project.created'] }],
  [created, ['project.open_requested', ofProject], {}],
  [created, ['project.opened', ofProject], { controller: ['project.opened'], project: ['project.opened'] }],
  [
    created,
    ['project.open_failed', { ...ofProject, failure }],
    { controller: ['log.error'], project: ['log.error'], compute: ['log.error'] },
  ],
  [
    opened,
    ['project.updated', { ...ofProject, changes: { zoom: 5 } }],
    { controller: ['project.updated'], project: ['project.updated'] },
  ],
  [opened, ['project.updated', { ...ofProject, changes: { zoom: 100 } }], {}],
  [opened, ['project.close_requested', ofProject], {}],
  [
    opened,
    ['project.close_requested', { ...ofProject, reason: 'its last viewer left' }],
    { controller: ['log.info'], project: ['log.info'], compute: ['log.info'] },
  ],
  [opened, ['project.closed', ofProject], { controller: ['project.closed'], project: ['project.closed'] }],
  [opened, ['project.unattended', ofProject], {}],
  [opened, ['project.file_written', { ...ofProject, file_sha256: 'abc' }], {}],
  // Everything in it goes with it.
  [link, ['project.deleted', ofProject], { controller: ['project.deleted'], project: ['project.deleted'] }],
  [opened, ['node.created', nodeData()], { project: ['node.created'] }],
  [
    node,
    ['node.updated', { ...ofNode, changes: { x: 5, name: 'Alice' } }],
    { project: ['node.updated'], compute: ['node.updated'] },
  ],
  // Where it stands on the canvas is nothing to a compute.
  [node, ['node.updated', { ...ofNode, changes: { x: 5 } }], { project: ['node.updated'] }],
  [node, ['node.deleted', ofNode], { project: ['node.deleted'], compute: ['node.deleted'] }],
  // On the wire it is still stopped.
  [node, ['node.start_requested', { ...ofNode, arguments: {} }], {}],
  [node, ['node.started', startedData()], { project: ['node.updated'], compute: ['node.updated'] }],
  [node, ['node.start_failed', { ...ofNode, failure }], { project: ['node.updated'] }],
  [running, ['node.stop_requested', ofNode], {}],
  [running, ['node.stopped', ofNode], { project: ['node.updated'], compute: ['node.updated'] }],
  [running, ['node.suspended', ofNode], { project: ['node.updated'], compute: ['node.updated'] }],
  [running, exited(0), { project: ['node.updated'], compute: ['node.updated'] }],
  [running, exited(1), { project: ['node.updated', 'log.error'], compute: ['node.updated', 'log.error'] }],
  [
    running,
    ['node.lost', { ...ofNode, reason: 'its process is gone' }],
    { project: ['node.updated', 'log.warning'], compute: ['node.updated', 'log.warning'] },
  ],
  [running, ['node.recording_started', { ...ofNode, file: 'a.cast' }], {}],
  [running, ['link.created', linkData()], { project: ['link.created'] }],
  [link, ['link.updated', { ...ofLink, changes: { suspend: true } }], { project: ['link.updated'] }],
  [link, ['link.deleted', ofLink], { project: ['link.deleted'] }],
  [capturing.slice(0, -1), ['capture.started', captured], { project: ['link.updated'] }],
  [capturing, ['capture.stop_requested', captured], {}],
  [capturing, ['capture.stopped', captured], { project: ['link.updated'] }],
  [
    capturing,
    ['capture.failed', { ...captured, failure }],
    { project: ['link.updated', 'log.error'], compute: ['log.error'] },
  ],
  [opened, ['drawing.created', drawingData(1)], { project: ['drawing.created'] }],
  [drawing, ['drawing.updated', { ...ofDrawing, changes: { x: 50 } }], { project: ['drawing.updated'] }],
  [drawing, ['drawing.deleted', ofDrawing], { project: ['drawing.deleted'] }],
  [
    opened,
    ['warning.raised', { message: 'look', node_id: null }],
    { project: ['log.warning'], compute: ['log.warning'] },
  ],
  // Nobody has to do anything: no client shows it over what somebody does.
  [
    opened,
    ['warning.raised', { message: 'another port', node_id: null, settled: true }],
    { project: ['log.info'], compute: ['log.info'] },
  ],
  [
    link,
    ['project.replaced', { ...projectData(), name: 'other' }],
    {
      controller: ['project.updated'],
      project: ['link.deleted', 'node.deleted', 'project.updated'],
      compute: ['node.deleted'],
    },
  ],
];

describe('frames', () => {
  for (const [given, last, expected] of TABLE) {
    const said = Object.entries(expected).map(([feed, actions]) => `${feed}: ${actions.join(', ')}`);
    it(`of ${last[0]} after ${given.length} events are ${said.join('; ') || 'none'}`, () => {
      const frames = framesOf([...given, last]);
      const actions = Object.fromEntries(
        Object.entries(frames).map(([feed, list]) => [feed, list.map((f) => f.action)]),
      );
      assert.deepEqual(actions, { controller: [], project: [], compute: [], ...expected });
    });
  }

  it('of a deletion carry the whole record as it was last, in the words of their feed', () => {
    const { project, compute } = framesOf([...running, ['node.deleted', ofNode]]);
    const [record] = project;
    assert.equal(record?.event['node_id'], NODE);
    assert.equal(record?.event['status'], 'started');
    assert.equal(record?.event['node_type'], 'simple_pc');
    assert.ok(Array.isArray(record?.event['ports']));
    assert.equal(compute[0]?.event['node_id'], NODE);
    assert.equal(compute[0]?.event['node_type'], undefined);
  });

  it('of a drawing leave its svg out unless that has changed', () => {
    const moved = framesOf([...drawing, ['drawing.updated', { ...ofDrawing, changes: { x: 50 } }]]).project[0];
    const redrawn = framesOf([...drawing, ['drawing.updated', { ...ofDrawing, changes: { svg: '<svg/>' } }]])
      .project[0];
    assert.deepEqual([moved?.event['x'], moved?.event['svg']], [50, undefined]);
    assert.equal(redrawn?.event['svg'], '<svg/>');
  });

  it('of a node that ended say how, with the end of what it printed', () => {
    const [, error] = framesOf([...running, exited(1)]).project;
    assert.deepEqual(error?.event, { message: 'PC1 ended with code 1: panic' });
    const data = { ...ofNode, code: null, signal: 'SIGKILL', output: '' };
    const [, killed] = framesOf([...running, ['node.exited', data]]).project;
    assert.deepEqual(killed?.event, { message: 'PC1 ended by signal SIGKILL' });
    const [, crashed] = framesOf([...running, ['node.exited', data, 3]]).project;
    assert.deepEqual(crashed, { action: 'log.warning', event: { message: 'The weather crashed PC1' } });
  });
});
