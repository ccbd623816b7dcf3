import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { hasSentence, sentenceOf } from '../src/timeline/sentences/sentence.ts';
import type { Link, Node } from '../src/store/records.ts';
import { type Entry, withPortNames } from '../src/timeline/server.ts';
import { detailsOf, entriesOf } from '../src/timeline/panes/history.ts';
import { titles } from '../src/words/titles.ts';
import { speak } from '../src/words/words.ts';

const entry = (type: string, more: Partial<Entry> = {}): Entry => ({
  ...{ type, position: 1, last: 1, count: 1, at: 0, kind: 'change', person: 'ada' },
  ...{ object: { collection: 'node', id: 'a' }, name: 'PC3', former: null, ends: [], took: null, data: {} },
  ...more,
});
const link = (type: string, data: object): Entry =>
  entry(type, {
    object: { collection: 'link', id: 'l' },
    ends: [
      { name: 'R1', port: 'e0' },
      { name: 'SW1', port: 'e3' },
    ],
    data: { ...data },
  });
const say = (type: string, more: Partial<Entry> = {}): string => sentenceOf(entry(type, more));

describe('a sentence about an event', () => {
  it('there is for every type that the log knows', () => {
    const types = [...readFileSync('src/events/schemas.ts', 'utf8').matchAll(/^ {2}'([a-z]+\.[a-z_]+)': event\(/gm)];
    assert.ok(types.length > 80, String(types.length));
    assert.deepEqual(
      types.map(([, type = '']) => type).filter((type) => !hasSentence(type)),
      [],
    );
    for (const [, type = ''] of types) assert.doesNotMatch(say(type), /undefined|null|[{}_]|\w\.\w/, type);
  });

  it('is what a person would say', () => {
    const changes = { name: 'host124' };
    assert.equal(say('node.updated', { former: 'PC3', data: { changes } }), 'ada renamed PC3 to host124');
    assert.equal(say('node.updated', { kind: 'move', count: 4, name: 'R1', data: {} }), 'ada moved R1 and 3 others');
    assert.equal(say('node.updated', { kind: 'move', count: 2 }), 'ada moved PC3 and 1 other');
    assert.equal(
      say('node.updated', { data: { changes: { x: -95, symbol: ':/a.svg' } } }),
      'ada changed the symbol of PC3',
    );
    assert.equal(say('node.updated', { data: { changes: { properties: { ram: 256 } } } }), 'ada changed ram of PC3');
    assert.equal(say('node.started', { took: 400 }), 'PC3 started in 0.4 s');
    assert.equal(say('node.started', { took: 3 }), 'PC3 started');
    const killed = { data: { code: null, signal: 'SIGKILL', output: '' } };
    assert.equal(say('node.exited', killed), 'PC3 was ended by SIGKILL');
    assert.equal(say('node.exited', { ...killed, took: 2 }), 'The weather crashed PC3');
    assert.equal(say('node.created', { count: 3 }), 'ada added PC3 and 2 others');
    assert.equal(say('node.created', { person: 'anonymous' }), 'Somebody added PC3');
    const failure = { failure: { code: 'x', message: 'no engine' } };
    assert.equal(say('node.start_failed', { data: failure }), 'PC3 could not start: no engine');
    assert.equal(say('warning.raised', { data: { message: 'a port was taken' } }), 'Warning: a port was taken');
    const finished = { action: 'start', done: 2, failed: [{ name: 'R1', ...failure }] };
    assert.equal(say('project.nodes_finished', { data: finished }), 'Start: 2 nodes are done, 1 failed: R1: no engine');
    const asked = (method: string, route: string): Partial<Entry> => ({
      data: { method, route: `/v2/projects/{project_id}${route}`, path: '/v2/projects/1', reason: 'it runs' },
    });
    const start = asked('POST', '/nodes/{node_id}/start');
    assert.equal(say('request.refused', start), 'ada could not start PC3: it runs');
    assert.equal(say('request.refused', asked('PUT', '')), 'ada could not change the project: it runs');
    assert.equal(say('request.refused', asked('POST', '/dream')), 'ada was refused POST /dream: it runs');
    const both = { locked: true, symbol: ':/a.svg' };
    assert.equal(say('node.updated', { data: { changes: both } }), 'ada changed the lock and the symbol of PC3');
    assert.equal(say('node.dreamt'), 'PC3: node dreamt');
  });

  it('calls fields as forms do', () => {
    const named = { record_consoles: 'Record consoles', auto_open: 'Open with the server', ram: 'RAM' };
    titles.set(new Map(Object.entries(named)));
    const said = [
      say('project.updated', { data: { changes: { record_consoles: true, auto_open: true } } }),
      say('node.updated', { data: { changes: { properties: { ram: 256 } } } }),
    ];
    titles.set(new Map());
    assert.deepEqual(said, [
      'ada changed the project: record consoles and open with the server',
      'ada changed RAM of PC3',
    ]);
  });

  it('of a link tells its ends and what it does from then on', () => {
    const changes = (filters: object): object => ({ changes: { filters } });
    const of = (data: object): string => sentenceOf(link('link.updated', data));
    const the = 'ada: from now on the link R1 e0 – SW1 e3';
    assert.equal(of(changes({ packet_loss: [20] })), `${the} loses 20 % of its frames`);
    assert.equal(
      of(changes({ delay: [50, 5], corrupt: [1] })),
      `${the} delays frames by 50 ms ± 5 ms, spoils 1 % of its frames`,
    );
    assert.equal(of(changes({ frequency_drop: [-1] })), `${the} drops every frame`);
    assert.equal(of(changes({ bpf: ['icmp'] })), `${the} drops what fits icmp`);
    assert.equal(of(changes({})), 'ada removed the filters of the link R1 e0 – SW1 e3');
    assert.equal(of({ changes: { suspend: true } }), 'ada cut the link R1 e0 – SW1 e3');
  });
});

describe('a sentence about a check', () => {
  const of = (type: string, name: string, text: string): string => say(type, { name: null, data: { name, text } });

  it('says what was found once, and the name that somebody gave', () => {
    assert.equal(
      of('check.broken', 'A reaches B', 'A does not reach B: B is stopping'),
      'Broken: A does not reach B: B is stopping',
    );
    assert.equal(of('check.met', 'PC2 is started', 'PC2 is started'), 'Met: PC2 is started');
    assert.equal(of('check.met', 'cabling', 'A reaches B (10.0.0.2)'), 'Met: cabling: A reaches B (10.0.0.2)');
  });

  it('is whole in the other language', async () => {
    Object.assign(globalThis, { document: { documentElement: {} } });
    await speak('de');
    const said = [
      of('check.broken', 'A reaches B', 'A does not reach B: B is stopping'),
      of('check.met', 'PC2 shows up', 'the console of PC2 shows up'),
      of('check.met', 'Settings', 'PC2 is started'),
      say('node.updated', { data: { changes: { text_files: [], texts: {} } } }),
      say('request.refused', {
        data: {
          ...{ method: 'PUT', route: '/v2/projects/{project_id}/weather' },
          reason: 'The request is not valid: links: there is no node PC1',
        },
      }),
    ];
    await speak('en');
    assert.deepEqual(said, [
      'Verletzt: A erreicht B nicht: B stoppt gerade',
      'Erfüllt: die Konsole von PC2 zeigt up',
      'Erfüllt: Settings: PC2 läuft',
      'ada hat die Startdateien geändert: PC3',
      'ada konnte das Wetter nicht ändern: Das geht so nicht: links: Den Knoten PC1 gibt es nicht',
    ]);
  });
});

describe('the ports of a link in its sentences', () => {
  const end = (node_id: string, port_number: number) => ({ node_id, adapter_number: 0, port_number });
  const port = { adapter_number: 0, port_number: 1, name: 'Ethernet1', short_name: 'e1' };
  const records = {
    links: new Map([['l', { nodes: [end('r', 1), end('s', 2)] } as Link]]),
    nodes: new Map([['r', { ports: [port] } as unknown as Node]]),
  };
  const told = (...ports: string[]): string[] => {
    const ends = ports.map((text) => ({ name: '', port: text }));
    const given = entry('link.created', { object: { collection: 'link', id: 'l' }, ends });
    return withPortNames(records, given).ends.map((one) => one.port);
  };

  it('go by the names that the node has for them, where the link has none', () => {
    assert.deepEqual(told('0/1', '0/2'), ['Ethernet1', '0/2']);
    assert.deepEqual(told('uplink', '0/2'), ['uplink', '0/2']);
  });
});

describe('the history of an object', () => {
  const event = (type: string, data: object, position: number) => ({
    ...{
      type,
      data: { ...data },
      position,
      at: '2026-11-21T12:00:00.000Z',
      causes: [],
      project_id: 'p',
      version: 1,
      v: 1,
    },
    ...{ by: { principal: 'ada', address: null, agent: null }, request_id: null, cause: null, prev: '', hash: '' },
  });

  it('is told newest first, with the names of its time', () => {
    const entries = entriesOf([
      event('node.created', { node_id: 'a', name: 'PC1' }, 1),
      event('node.updated', { node_id: 'a', changes: { name: 'Gate' } }, 2),
      event('node.updated', { node_id: 'a', changes: { x: 5 } }, 3),
    ]);
    assert.deepEqual(
      entries.map(({ what }) => what),
      ['ada moved Gate', 'ada renamed PC1 to Gate', 'ada added PC1'],
    );
    assert.equal(detailsOf({ data: { changes: { port_name_format: 'e{0}' } } }), 'port name format: e{0}');
  });
});
