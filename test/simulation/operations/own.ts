import type { BatchStep } from '../../../src/actors/commands.ts';
import type { Thing } from '../../faults/expectations.ts';
import type { Choice, Operation } from './operations.ts';

/** What a client does to things of its own: it knows exactly what they must be. */

const MOST_DRAWINGS = 6;

/** A drawing that is made, changed or deleted. */
export const drawing = (choice: Choice): Operation => {
  const { world, own, home, name } = choice;
  const [key, thing] = world.random.pick(own) ?? [null, null];
  const id = key?.slice('drawing/'.length) ?? '';
  if (key === null || thing === null || (own.length < MOST_DRAWINGS && world.chance(0.4))) {
    const drawing_id = world.random.uuid();
    const fields = { x: world.random.below(1000), svg: `<svg>${name()}</svg>` };
    return {
      what: `create drawing ${drawing_id.slice(0, 8)}`,
      run: (c, by) => c.createDrawing(by, home, { drawing_id, ...fields }),
      events: ['drawing.created'],
      done: { [`drawing/${drawing_id}`]: { ...fields, z: 2 } },
    };
  }
  if (world.chance(0.3))
    return {
      what: `delete drawing ${id.slice(0, 8)}`,
      run: (c, by) => c.deleteDrawing(by, { project_id: home, drawing_id: id }),
      events: ['drawing.deleted'],
      done: { [key]: null },
    };
  const changes = { x: world.random.below(1000), z: world.random.below(9) };
  return {
    what: `update drawing ${id.slice(0, 8)} ${JSON.stringify(changes)}`,
    run: (c, by) => c.updateDrawing(by, { project_id: home, drawing_id: id }, changes),
    done: { [key]: { ...thing, ...changes } },
  };
};

export const batch = (choice: Choice): Operation => {
  const { world, home, name } = choice;
  const steps: BatchStep[] = [];
  const done: Record<string, Thing> = {};
  for (let n = 2 + world.random.below(4); n > 0; n--) {
    const drawing_id = world.random.uuid();
    const fields = { x: world.random.below(1000), svg: `<svg>${name()}</svg>` };
    steps.push({ action: 'create', type: 'drawing', input: { drawing_id, ...fields } });
    done[`drawing/${drawing_id}`] = { ...fields, z: 2 };
  }
  return { what: `batch of ${steps.length}`, run: (c, by) => c.batch(by, home, steps), done, together: steps.length };
};

export const keyed = (choice: Choice): Operation => {
  const { home, name } = choice;
  const mark = name();
  const request = { key: mark, method: 'POST', path: `/v2/projects/${home}/drawings`, body_sha256: 'a'.repeat(64) };
  return {
    what: `keyed ${mark}`,
    run: (c, by) =>
      c.once(by, request, async () => {
        const { drawing_id } = await c.createDrawing(by, home, { svg: `<svg>${mark}</svg>` });
        return { status: 201, body: drawing_id };
      }),
    mark,
  };
};

const MOST_NAMES = 2;
const TEXT_KINDS = ['simple_pc', 'simple_pc', 'program', 'ethernet_hub'] as const;

/** A lab that several clients make what their texts say: two at a time, and while others change it. */
export const applyText = ({ world, name }: Choice): Operation => {
  const nodes = Array.from({ length: 1 + world.random.below(3) }, (_, n) => {
    const kind = world.random.pick(TEXT_KINDS) ?? 'simple_pc';
    const startup = kind === 'simple_pc' && world.chance(0.5) ? `, startup: "set pcname ${name()}"` : '';
    const files = kind === 'simple_pc' && world.chance(0.3) ? `, files: { three.txt: ${name()} }` : '';
    return `  ${kind}${n}: { kind: ${kind}, at: [${world.random.below(500)}, 0]${startup}${files} }`;
  });
  const drawings = `drawings: [{ svg: '<svg>${name()}</svg>' }]`;
  const lab = `text ${world.random.below(MOST_NAMES)}`;
  const settings = `settings: { scene_width: ${1 + world.random.below(4000)} }`;
  const text = [`lab: ${lab}`, 'version: 1', settings, 'nodes:', ...nodes, drawings, ''].join('\n');
  const start = world.chance(0.5);
  return {
    what: `apply ${nodes.length} nodes to ${lab}${start ? ', start' : ''}`,
    run: (c, by) => c.applyLab(by, { text, format: 'yaml', files: {}, start }),
  };
};
