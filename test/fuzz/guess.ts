import type { Random } from '../faults/prng.ts';
import { fit, type Fitting } from './fit.ts';
import type { Schema, Schemas } from './document.ts';
import type { Lab, World } from './world.ts';

/** What the tests' own machine can spare. */
export interface Range {
  /** Ports that nobody else here takes. */
  ports: [number, number];
  /** A directory that the server may write to where it is told to write somewhere; null: none. */
  outside: string | null;
}

const SVGS = [
  '<svg width="10" height="10"></svg>',
  '<svg',
  '<svg><script>1</script></svg>',
  '<svg width="1e999"></svg>',
];
const SYMBOLS = [
  ':/symbols/computer.svg',
  ':/symbols/affinity/circle/blue/switch.svg',
  'mine.svg',
  ':/symbols/none.svg',
];
/** Longer ones would have the test wait, not the server fail. Milliseconds. */
const DELAY_MS = 20;
/** Nobody listens there, and nobody else's machine is meant. */
const DISCARD = 9;

/**
 * Makes properties fit the world: ids that exist, ports that are free for tests, engines that run no program of this machine.
 * The latter hold for junk as well: see `harmless`.
 */
export const fittingFor = (
  random: Random,
  schemas: Schemas,
  world: World,
  lab: Lab | undefined,
  range: Range,
): Fitting => {
  const known = (ids: readonly string[] | undefined): string =>
    random.below(8) === 0 ? random.uuid() : (random.pick(ids ?? []) ?? random.uuid());
  const nodes = (): string => known(lab?.nodes.map(({ node_id }) => node_id));
  const fresh = (of: string[] | undefined): string | undefined => {
    if (random.below(3) > 0) return undefined;
    const id = random.uuid();
    of?.push(id);
    return id;
  };
  const port = (): number => range.ports[0] + random.below(range.ports[1] - range.ports[0]);
  const self: Fitting = {
    random,
    schemas,
    guess: (key, schema) => {
      switch (key) {
        case 'node_id':
        case 'destination_node_id':
        case 'id':
          return nodes();
        case 'link_id':
          return fresh(lab?.links);
        case 'drawing_id':
          return fresh(lab?.drawings);
        case 'template_id':
          return known(world.templates);
        case 'compute_id':
          return random.below(6) === 0 ? 'vm' : 'local';
        case 'console':
        case 'lport':
          return random.below(3) === 0 ? port() : undefined;
        case 'adapter_number':
          return random.below(3) === 0 ? undefined : 0;
        case 'port_number':
          return random.below(4) === 0 ? undefined : random.below(8);
        case 'svg':
          return random.pick(SVGS);
        case 'symbol':
          return random.pick(SYMBOLS);
        case 'name':
          return random.below(2) === 0 ? `n${String(random.below(1_000))}` : undefined;
        case 'path':
          return range.outside === null ? undefined : `${range.outside}/${String(random.below(1_000))}`;
        case 'properties':
          return fit(self, without(schemas.ofKind(random.pick(lab?.nodes ?? [])?.kind ?? 'nat')), '');
        case 'steps':
          // Those of a batch; a ramp of weather has a number of them.
          return schema['type'] === 'array' ? steps(self, schema, lab) : undefined;
        default:
          return undefined;
      }
    },
  };
  return self;
};

/** A kind's own properties, without those that stand beside them in a record. */
const without = (schema: Schema): Schema => {
  const {
    name: _name,
    node_id: _id,
    console: _console,
    ...properties
  } = (schema['properties'] ?? {}) as Record<string, unknown>;
  return { ...schema, properties, required: [] };
};

/** Steps of a batch with the records that their types take. */
const steps = ({ random, schemas, guess }: Fitting, schema: Schema, lab: Lab | undefined): unknown[] => {
  const plain: Fitting = { random, schemas, guess: (key, s) => (key === 'steps' ? undefined : guess(key, s)) };
  const items = (schema['items'] ?? {}) as Schema;
  return Array.from({ length: random.below(8) }, () => {
    const step = fit(plain, items) as Record<string, unknown>;
    const ids = { node: lab?.nodes.map(({ node_id }) => node_id), link: lab?.links, drawing: lab?.drawings };
    const id = random.pick(ids[step['type'] as 'node'] ?? []);
    if ('id' in step && id !== undefined) step['id'] = id;
    if ('record' in step) step['record'] = recordOf(plain, String(step['type']), String(step['action']));
    return step;
  });
};

const recordOf = (fitting: Fitting, type: string, action: string): unknown => {
  const { random } = fitting;
  const place = { x: random.below(100), y: random.below(100) };
  if (action === 'update') return place;
  if (type === 'drawing') return { ...place, drawing_id: fitting.guess('drawing_id', {}), svg: random.pick(SVGS) };
  if (type === 'node') return { ...place, name: 'made{0}', node_type: 'simple_pc', compute_id: 'local' };
  const end = () => ({ node_id: fitting.guess('node_id', {}), adapter_number: 0, port_number: random.below(8) });
  return { nodes: [end(), end()], link_id: fitting.guess('link_id', {}) };
};

const ENGINES: ReadonlySet<unknown> = new Set(['embedded', 'simulated', 'udp', null]);

/**
 * The same body with what would do harm beyond the server replaced, or make the test wait for what it asked to be slow: frames to
 * other machines, ports of other tests, programs as engines, directories outside.
 */
export const harmless = (value: unknown, range: Range): unknown => {
  if (Array.isArray(value)) return value.map((item) => harmless(item, range));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, kept(key, item, range)]));
};

const kept = (key: string, value: unknown, range: Range): unknown => {
  switch (key) {
    case 'rhost':
    case 'default_destination':
      return typeof value === 'string' ? '127.0.0.1' : value;
    case 'rport':
      return typeof value === 'number' && value > 0 && value < 65_536 ? DISCARD : value;
    case 'lport':
    case 'console':
      return typeof value === 'number' && value > 1_023 && (value < range.ports[0] || value > range.ports[1])
        ? range.ports[0] + (Math.abs(Math.round(value)) % (range.ports[1] - range.ports[0]))
        : value;
    case 'engine':
      return ENGINES.has(value) || typeof value !== 'string' ? value : 'embedded';
    case 'path':
      return typeof value === 'string' && range.outside !== null && !value.startsWith(range.outside)
        ? `${range.outside}/${String(value.length)}`
        : value;
    case 'delay_ms':
    case 'exit_after_ms':
      return typeof value === 'number' && value > DELAY_MS ? DELAY_MS : value;
    case 'speed':
      return typeof value === 'number' && value > 0 ? Math.max(1_000, value) : value;
    default:
      return harmless(value, range);
  }
};
