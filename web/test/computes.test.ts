import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError, type Client } from 'topolog/client';
import { legendOf, looksOf } from '../src/computes/compute-look.ts';
import { nameSome, placedOf, readPlaced, sayRemoval, sayRunning } from '../src/computes/counts.ts';
import { isTaken, wishOf } from '../src/computes/dialogs/compute-form.tsx';
import { foldCompute, followComputes } from '../src/computes/follow.ts';
import { apart, byKind, type Compute, defaultComputeOf, type Engine } from '../src/computes/computes.ts';
import { placesOf } from '../src/computes/where-field.tsx';
import type { Frame, Node, Project } from '../src/store/records.ts';
import { tasks } from '../src/store/tasks.ts';

const compute = (compute_id: string, more: Partial<Compute> = {}): Compute => ({
  compute_id,
  name: compute_id,
  protocol: 'http',
  host: '10.0.0.2',
  port: 3080,
  user: null,
  connected: true,
  cpu_usage_percent: 10,
  memory_usage_percent: 20,
  last_error: null,
  capabilities: { version: '1', node_types: [], platform: 'linux' },
  ...more,
});
const node = (node_id: string, compute_id: string, more: Partial<Node> = {}): Node =>
  ({ node_id, name: node_id, compute_id, status: 'stopped', properties: {}, ...more }) as Node;
const project = (project_id: string): Project => ({ project_id, name: project_id }) as Project;
const refused = (status: number, body: object): ApiError => new ApiError(new Response(null, { status }), 'POST', body);

describe('the list of computes', () => {
  it('has this server first and then the others by name, whatever the feed tells first', () => {
    const told = ['rack 10', 'local', 'rack 9'].map((id): Frame => ({
      action: 'compute.created',
      event: compute(id),
      position: 1,
    }));
    const list = told.reduce<readonly Compute[]>((before, frame) => foldCompute(before, frame), []);
    assert.deepEqual(
      list.map(({ compute_id }) => compute_id),
      ['local', 'rack 9', 'rack 10'],
    );
    const left = foldCompute(list, { action: 'compute.deleted', event: compute('rack 9'), position: 2 });
    assert.equal(left.length, 2);
    assert.equal(foldCompute(list, { action: 'reload', event: { reason: '' }, position: 3 }), list);
  });

  it('keeps the load when an event tells none, and has none of a compute that is away', () => {
    const before = [compute('rack')];
    const noLoad = { cpu_usage_percent: null, memory_usage_percent: null };
    const fold = (event: Compute) => foldCompute(before, { action: 'compute.updated', event, position: 1 })[0];
    assert.equal(fold(compute('rack', { ...noLoad, name: 'other' }))?.cpu_usage_percent, 10);
    assert.equal(fold(compute('rack', { ...noLoad, connected: false }))?.cpu_usage_percent, null);
  });

  it('is followed once for all that look at it, and for as long as one does', async () => {
    const frames = [
      { action: 'ping', event: {} },
      {
        action: 'project.progress',
        event: { project_id: 'p', what: 'upload', done: 1e6, of: 4e6, left: 3, ended: false },
      },
      { action: 'compute.updated', event: compute('rack', { cpu_usage_percent: 77 }) },
    ];
    let feeds = 0;
    let ended = 0;
    const client = {
      get: () => Promise.resolve([compute('rack'), compute('local')]),
      async *feed(_path: string, { signal }: { signal: AbortSignal }) {
        feeds += 1;
        yield* frames;
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        ended += 1;
      },
    } as unknown as Client;
    const [one, two] = [followComputes(client), followComputes(client)];
    assert.equal(one.state, two.state);
    const { state } = one;
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (state.get().computes.some(({ cpu_usage_percent }) => cpu_usage_percent === 77)) resolve();
      };
      state.subscribe(look);
      look();
    });
    assert.deepEqual(
      [...state.get().names],
      [
        ['local', 'This server'],
        ['rack', 'rack'],
      ],
    );
    assert.deepEqual(
      tasks.get().map(({ title, fraction }) => [title, fraction]),
      [['Sending images for a project', 0.25]],
    );
    one.close();
    one.close();
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([feeds, ended], [1, 0]);
    two.close();
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([ended, tasks.get().length], [1, 0]);
    followComputes(client).close();
    assert.equal(feeds, 2);
  });

  it('gives names that stay the same object until one changes', async () => {
    const told = (part: Partial<Compute>): Frame => ({
      action: 'compute.updated',
      event: compute('r', part),
      position: 1,
    });
    const client = {
      get: () => Promise.resolve([compute('r')]),
      async *feed(_path: string, { signal }: { signal: AbortSignal }) {
        yield* [{ action: 'ping' }, told({ cpu_usage_percent: 50 }), told({ connected: false }), told({ name: 'new' })];
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      },
    } as unknown as Client;
    const { state, close } = followComputes(client);
    const seen: ReadonlyMap<string, string>[] = [];
    await new Promise<void>((resolve) => {
      state.subscribe(() => {
        const { names } = state.get();
        seen.push(names);
        if (names.get('r') === 'new') resolve();
      });
    });
    close();
    assert.deepEqual(
      seen.map((names) => names === seen[0]),
      [true, true, true, false],
    );
  });
});

describe('nodes at computes', () => {
  it('are counted over all projects, those that run apart', async () => {
    const lists: Record<string, Node[]> = {
      one: [node('a', 'rack', { status: 'started' }), node('b', 'local')],
      two: [node('c', 'rack')],
    };
    const client = {
      get: (path: string, call: { path?: { project_id: string } }) => {
        if (path === '/v2/projects') return Promise.resolve(['one', 'two', 'gone'].map(project));
        const nodes = lists[call.path?.project_id ?? ''];
        return nodes === undefined ? Promise.reject(refused(404, { message: 'gone' })) : Promise.resolve(nodes);
      },
    } as unknown as Client;
    const placed = await readPlaced(client, new AbortController().signal);
    assert.deepEqual(placed.get('rack'), [
      { name: 'a', project: 'one', isRunning: true },
      { name: 'c', project: 'two', isRunning: false },
    ]);
    assert.equal(sayRunning(placed.get('rack') ?? [], true), '2 nodes of all projects are there, 1 runs.');
    assert.equal(
      sayRunning(placed.get('rack') ?? [], false),
      '2 nodes of all projects are there, 1 ran when it was last seen.',
    );
    assert.equal(sayRunning([], true), 'No node of any project is there.');
    assert.match(sayRemoval(placed.get('rack') ?? [], true), /^It stops 1 node: a \(one\)\. Nodes that are there stay/);
    assert.match(
      sayRemoval(placed.get('rack') ?? [], false),
      /^It is away, .*a \(one\)\. .* go on until somebody stops/,
    );
    assert.equal(sayRemoval([], true), 'No node runs there.');
    assert.equal(nameSome(placed.get('rack') ?? []), 'a (one), c (two)');
  });

  it('are not said to be none when they cannot be read', async () => {
    const client = {
      get: (path: string) =>
        path === '/v2/projects'
          ? Promise.resolve([project('one')])
          : Promise.reject(refused(500, { message: 'broken' })),
    } as unknown as Client;
    await assert.rejects(readPlaced(client, new AbortController().signal), /broken/);
  });

  it('are named in part when they are very many', () => {
    const many = Array.from({ length: 20 }, (_, index) => node(`n${index}`, 'rack'));
    const placed = placedOf([[project('p'), many]]).get('rack') ?? [];
    assert.match(nameSome(placed), /^n0 \(p\), .* n7 \(p\) and 12 more$/);
  });

  it('can be put elsewhere unless their files are where nobody answers', () => {
    const away = { properties: { unreachable: 'silent for 5 s' } };
    const nodes = [node('a', 'rack', away), node('b', 'rack'), node('c', 'not known', away)];
    const { movable, away: held } = apart(nodes, new Map([['rack', 'rack']]));
    assert.deepEqual(
      [movable, held].map((list) => list.map(({ node_id }) => node_id)),
      [['b', 'c'], ['a']],
    );
  });
});

describe('looks of computes', () => {
  const names = new Map([
    ['local', 'This server'],
    ['r', 'rack'],
  ]);

  it('stay with the computes of the list, and come to those that only nodes name', () => {
    const looks = looksOf(names, ['gone', 'r']);
    assert.deepEqual(
      [...looks].map(([id, { name, colour }]) => [id, name, colour]),
      [
        ['local', 'This server', 'var(--compute-1)'],
        ['r', 'rack', 'var(--compute-2)'],
        ['gone', 'gone', 'var(--compute-3)'],
      ],
    );
    assert.deepEqual(looksOf(names, []).get('r'), looks.get('r'));
  });

  it('differ by their line where the colours are used up', () => {
    const ids = Array.from({ length: 24 }, (_, index) => `c${index}`);
    const seen = new Set([...looksOf(new Map(), ids).values()].map(({ colour, line }) => `${colour} ${line}`));
    assert.equal(seen.size, 24);
  });

  it('make a legend of the computes that have nodes', () => {
    const nodes = new Map([node('a', 'r'), node('b', 'gone'), node('c', 'r')].map((one) => [one.node_id, one]));
    assert.deepEqual(
      legendOf(looksOf(names, ['gone', 'r']), nodes).map(({ look, nodeIds }) => [look.name, nodeIds]),
      [
        ['rack', ['a', 'c']],
        ['gone', ['b']],
      ],
    );
  });
});

describe('where nodes can go', () => {
  it('is the best place, here, and the others; not where they are, and not to one that is away', () => {
    const computes = [compute('local'), compute('r'), compute('s', { connected: false })];
    assert.deepEqual(placesOf(computes, { without: 'local' }), [
      { value: 'auto', text: 'Wherever is best' },
      { value: 'r', text: 'r', isDisabled: false },
      { value: 's', text: 's, away', isDisabled: true },
    ]);
  });

  it('says that a project names a compute that is not known', () => {
    const shown = placesOf([compute('local')], { value: 'gone' }).map(({ text }) => text);
    assert.deepEqual(shown, ['Wherever is best', 'This server', 'gone, which this server does not know']);
  });

  it('is this server where a project says nothing', () => {
    assert.equal(defaultComputeOf(null), 'local');
    assert.equal(defaultComputeOf({ default_compute: 'auto' }), 'auto');
  });
});

describe('a compute that is typed', () => {
  const draft = {
    name: ' rack ',
    protocol: 'https' as const,
    host: ' 10.0.0.2 ',
    port: '3080',
    user: '',
    password: '',
    certificate: '',
    take: false,
  };

  it('is sent without what was left empty', () => {
    assert.deepEqual(wishOf(draft, true), { protocol: 'https', host: '10.0.0.2', port: 3080, name: 'rack' });
  });

  it('keeps its password when none is typed, and loses its user', () => {
    assert.deepEqual(wishOf({ ...draft, take: true }, false), {
      protocol: 'https',
      host: '10.0.0.2',
      port: 3080,
      name: 'rack',
      user: null,
      take: true,
    });
  });

  it('can be taken over only when the server says that it has another controller', () => {
    assert.equal(isTaken(refused(409, { message: 'it is the compute of hal; "take": true takes it over' })), true);
    assert.equal(isTaken(refused(409, { message: 'no', field: 'take' })), true);
    assert.equal(isTaken(refused(409, { message: 'it does not take the user and password' })), false);
    assert.equal(isTaken(new TypeError('fetch failed')), false);
  });
});

describe('engines of a compute', () => {
  const engine = (node_type: string, name: string, install: string | null): Engine => ({
    node_type,
    engine: name,
    available: install === null,
    version: install === null ? '1.0' : null,
    missing: install === null ? null : { needs: `the program ${name}`, install },
  });

  it('are told by kind: what is there, and what installs what is missing', () => {
    const { ready, missing } = byKind([
      engine('router', 'real', 'apt-get install real'),
      engine('router', 'simulated', null),
      engine('pc', 'small', null),
      engine('pc', 'large', 'apt-get install large'),
    ]);
    assert.deepEqual(
      ready.map(({ kind, engines }) => [kind, engines.map((one) => one.engine)]),
      [
        ['pc', ['small']],
        ['router', ['simulated']],
      ],
    );
    assert.deepEqual(missing, [{ kind: 'router', needs: 'the program real', install: 'apt-get install real' }]);
  });
});
