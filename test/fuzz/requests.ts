import { type Random, seeded } from '../faults/prng.ts';
import type { Operation, Schemas } from './document.ts';
import { fit, type Fitting } from './fit.ts';
import { fittingFor, harmless, type Range } from './guess.ts';
import { headersOf } from './headers.ts';
import { INFINITE, junkString, spoiled, spoiledBytes } from './junk.ts';
import type { Lab, World } from './world.ts';

export interface FuzzRequest {
  number: number;
  method: string;
  /** As it is sent, with its query. `{snapshot_id}` and `{replay_id}`: the latest that the server has named. */
  url: string;
  headers: Readonly<Record<string, string>>;
  body: Buffer | null;
  /** The client hangs up after so many milliseconds. */
  hangUp: number | null;
}

/**
 * Operations that are left out: this one would end the run. What it does has tests of its own.
 */
const LEFT_OUT = new Set(['POST /v2/shutdown']);

/** How often those are asked whose work grows with all that was done before, or which take the lab away; others: 1. */
const SELDOM: Readonly<Record<string, number>> = {
  'GET /v2/verify': 0.05,
  'GET /v2/projects/{project_id}/session': 0.3,
  'DELETE /v2/projects/{project_id}': 0.1,
  'DELETE /v2/compute/projects/{project_id}': 0.1,
  'POST /v2/projects/{project_id}/close': 0.2,
  'POST /v2/compute/projects/{project_id}/close': 0.2,
  'POST /v2/projects/{project_id}/open': 2,
  'POST /v2/projects/{project_id}/batch': 3,
  'POST /v2/projects/{project_id}/links': 3,
  'POST /v2/projects/{project_id}/replay': 0.3,
};

/** Uploads of images take their places one after the other, each with several waits for the disk. */
const IMAGES = 0.3;

const FILES = [
  'a.txt',
  'project-files/b',
  'project-files/vpcs/x/startup.vpc',
  'd/e/f/g',
  '../x',
  '..%2f..%2fx',
  'a//b',
  'd',
];
const OTHER_METHODS = ['PATCH', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PROPFIND'];

export class Requests {
  readonly #seed: number;
  readonly #range: Range;
  readonly #schemas: Schemas;
  readonly #world: World;
  readonly #operations: Operation[];
  readonly #weights: number[];

  constructor(operations: readonly Operation[], schemas: Schemas, world: World, seed: number, range: Range) {
    this.#seed = seed;
    this.#range = range;
    this.#schemas = schemas;
    this.#world = world;
    this.#operations = operations.filter(({ method, path }) => !LEFT_OUT.has(`${method} ${path}`));
    // Half of all are rows of the compute group that differ only in the kind.
    let sum = 0;
    this.#weights = this.#operations.map(({ method, path }) => {
      const isOfKind = path.startsWith('/v2/compute/') && path.includes('/nodes');
      const isImage = path.includes('/images');
      return (sum += (SELDOM[`${method} ${path}`] ?? 1) * (isOfKind ? 0.25 : isImage ? IMAGES : 1));
    });
  }

  /** The request of this number: the same for the same seed when all before it were made. */
  make(number: number): FuzzRequest {
    const random = seeded(this.#seed * 1_000_003 + number);
    const at = random.next() * (this.#weights.at(-1) ?? 0);
    const operation = this.#operations[this.#weights.findIndex((weight) => weight > at)];
    if (operation === undefined) throw new Error('the document has no operations');
    const lab = this.#world.lab(random);
    const fitting = fittingFor(random, this.#schemas, this.#world, lab, this.#range);
    const path = this.#path(random, operation, lab);
    const method = random.below(60) === 0 ? (random.pick(OTHER_METHODS) ?? 'PATCH') : operation.method;
    const hasBody = method !== 'GET' && method !== 'HEAD';
    return {
      number,
      method,
      url: path + this.#query(fitting, operation),
      headers: headersOf(random, operation),
      body: hasBody || random.below(50) === 0 ? this.#body(fitting, operation) : null,
      hangUp: random.below(60) === 0 ? random.below(6) : null,
    };
  }

  #path(random: Random, { path }: Operation, lab: Lab | undefined): string {
    // The node that a path of a kind names should be of it.
    const nodes = lab?.nodes.filter(({ kind }) => !path.startsWith('/v2/compute/') || path.includes(`/${kind}/`));
    const filled = path.replace(/\{(\w+)\}/g, (whole, name: string) => {
      if (random.below(20) === 0) return encoded(junkString(random).slice(0, 500));
      switch (name) {
        case 'project_id':
          return lab?.project_id ?? random.uuid();
        case 'node_id':
          return random.pick(nodes ?? [])?.node_id ?? random.pick(lab?.nodes ?? [])?.node_id ?? random.uuid();
        case 'link_id':
          return random.pick(lab?.links ?? []) ?? random.uuid();
        case 'drawing_id':
          return random.pick(lab?.drawings ?? []) ?? random.uuid();
        case 'template_id':
          return random.pick(this.#world.templates) ?? random.uuid();
        case 'adapter_number':
        case 'port_number':
          return String(random.below(3) === 0 ? random.below(300) : 0);
        case 'path':
        case 'filename':
          return random.pick(FILES) ?? '';
        case 'compute_id':
          return random.below(8) === 0 ? 'other' : 'local';
        case 'emulator':
          return (
            random.pick(['projects', 'machine_emulator', 'qemu', 'router_emulator', lab?.nodes[0]?.kind ?? 'nat']) ?? ''
          );
        case 'action':
          return this.#action(random, lab);
        case 'symbol_id':
          return random.pick([':/symbols/computer.svg', 'mine.svg', '..%2fx', 'no']) ?? '';
        case 'recording_name':
          return `${String(random.below(9))}.cast`;
        default:
          // Ids that only the server gives: the sender knows the latest.
          return whole;
      }
    });
    return random.below(40) === 0 ? bent(random, filled) : filled;
  }

  /** What is forwarded to the compute group, behind the kind. */
  #action(random: Random, lab: Lab | undefined): string {
    const node = random.pick(lab?.nodes ?? [])?.node_id ?? random.uuid();
    const actions = [
      'images',
      'images/a.bin',
      'capabilities',
      'img',
      lab?.project_id ?? 'x',
      `${lab?.project_id ?? 'x'}/files/a.txt`,
    ];
    return random.pick([...actions, `nodes/${node}`, `nodes/${node}/start`]) ?? '';
  }

  #query({ random, ...fitting }: Fitting, { query }: Operation): string {
    const pairs: string[] = [];
    const add = (key: string, value: string): void =>
      void pairs.push(`${encoded(key)}=${random.below(40) === 0 ? '%' : encoded(value)}`);
    for (const [name, schema] of Object.entries(query)) {
      if (name === 'timeout' || random.below(3) > 0) continue;
      const value = fit({ random, ...fitting }, schema, name === 'node' ? 'node_id' : name);
      for (const one of Array.isArray(value) ? (value as unknown[]) : [value])
        add(name, random.below(6) === 0 ? junkString(random).slice(0, 300) : String(one));
    }
    // Longer waits would have the test wait.
    if ('timeout' in query) pairs.push(`timeout=${String(random.below(2))}`);
    if (random.below(25) === 0) add(junkString(random).slice(0, 50), junkString(random).slice(0, 50));
    return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
  }

  #body(fitting: Fitting, { body, raw }: Operation): Buffer | null {
    const { random } = fitting;
    if (raw !== null) return Buffer.from(Array.from({ length: random.below(2_000) }, () => random.below(256)));
    if (random.below(12) === 0) return null;
    const whole = body === null ? {} : fit(fitting, body);
    let value = whole;
    // A third is as the document wants it.
    for (let times = random.pick([0, 1, 2]) ?? 0; times > 0; times--) value = spoiled(random, value);
    const safe = harmless(value, this.#range);
    const text = (JSON.stringify(safe) ?? 'null').replaceAll(JSON.stringify(INFINITE), '1e999');
    return random.below(12) === 0 ? spoiledBytes(random, text) : Buffer.from(text);
  }
}

/** Half of a surrogate pair has no percent-encoding. */
const encoded = (text: string): string => encodeURIComponent(Buffer.from(text).toString());

/** A path that is nearly one of the server's. */
const bent = (random: Random, path: string): string => {
  switch (random.below(7)) {
    case 0:
      return `${path}/`;
    case 1:
      return path.replaceAll('/', '//');
    case 2:
      return `${path}/x`;
    case 3:
      return path.toUpperCase();
    case 4:
      return path.replace('/v2', '/v3');
    case 5:
      return `${path}/${'%2e%2e%2f'.repeat(3)}x`;
    default:
      return `${path}/%ff%c0%af`;
  }
};
