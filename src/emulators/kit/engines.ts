import { Emitter } from '../../common/emitter.ts';
import { invalid, messageOf, TopologError } from '../../common/errors.ts';
import type {
  Engine,
  EngineContext,
  EngineFactory,
  Exit,
  Kind,
  KindNode,
  Missing,
  NodeNeeds,
  NodeWarning,
  Trace,
} from './contract.ts';
import { hostUse, refuseHostUses } from './host-uses.ts';
import type { Kinds } from '../registry.ts';
import { SIMULATED } from './simulated-engine.ts';

interface EngineChoice {
  /** Choices of `--engine kind=name`: kind (either name) to engine. */
  engines: Readonly<Record<string, string>>;
  /** `--simulate`: nodes that no engine can run here, because its program or the node's own images are missing, are simulated. */
  simulate: boolean;
  /** False: a node that would use what the server's machine keeps from its clients is not started. Absent: true. */
  local?: boolean;
  /** Interfaces of its machine that nodes may use nevertheless. Absent: none. */
  allowedInterfaces?: readonly string[];
  /** Absent: there are no computes but this server. */
  elsewhere?: Elsewhere;
}

/** Engines of other computes. */
export interface Elsewhere {
  /** Whether this server runs nodes with this compute_id itself. */
  isHere(computeId: string): boolean;
  /** undefined: there is no such compute. */
  engine(kind: Kind, computeId: string): Engine | undefined;
  /** Throws where a node at this compute cannot be reached now. */
  check(computeId: string): void;
}

export interface EngineReport {
  kind: string;
  engine: string;
  available: boolean;
  /** Version of its program; null: it has none, or is missing. */
  version: string | null;
  missing: Missing | null;
}

/** The engines of this server, each made once for a kind when it is first needed. */
export interface Engines {
  /** The engine that a start of the node uses. Throws `engine_missing`, or `invalid_request` for an unknown name. */
  forNode(kind: Kind, node: NodeNeeds): Promise<Engine>;
  /** The engine that a node that runs here was started with. */
  running(kind: Kind, engineName: string): Engine | undefined;
  /** Every engine of every kind, first choice first, and whether it can run here. */
  report(kind?: Kind): Promise<EngineReport[]>;
  /** Nodes that end by themselves. */
  onExit(listener: (exit: Exit) => void): void;
  /** Sentences about nodes that go on. */
  onWarning(listener: (warning: NodeWarning) => void): void;
  /** Traces that engines have made outside the fabric. */
  onTrace(listener: (trace: Trace) => void): void;
  /**
   * Lists what is left of nodes other than these, processes excepted, a line for each; removes it with `remove`. Failures go to `report`.
   */
  sweep(
    keep: readonly Pick<KindNode, 'node_id' | 'project_id'>[],
    remove: boolean,
    report: (message: string) => void,
  ): Promise<string[]>;
  close(): Promise<void>;
}

/** Throws `invalid_request` when the choice names a kind or an engine that there is not. */
export const createEngines = (kinds: Kinds, context: EngineContext, choice: EngineChoice): Engines => {
  const { make, ...made } = createMaker(context);
  const choose = createChooser(make, checkedChoice(kinds, choice), choice.simulate);
  const all = () => kinds.all().flatMap((kind) => kind.engines.map((factory) => ({ kind, factory })));
  return {
    ...made,
    async forNode(kind, node) {
      const far = farEngine(kind, node, choice);
      if (far !== null) return far;
      const refuse = (): void => {
        if (choice.local === false)
          refuseHostUses(kind, node.properties, {}, { interfaces: choice.allowedInterfaces, linked: node.linked });
      };
      const engine = await choose(kind, node).catch((error: unknown) => {
        refuse();
        throw error;
      });
      // A simulated node reaches nothing, so it is never refused.
      if (engine.name !== SIMULATED.name) refuse();
      // Also checked where the server was told to use it for every node of the kind.
      const reason = factories(kind).find(({ name }) => name === engine.name)?.hostUse;
      if (choice.local === false && reason !== undefined) throw hostUse({ field: 'engine', reason });
      return engine;
    },
    running(kind, engineName) {
      const factory = factories(kind).find(({ name }) => name === engineName);
      return factory === undefined ? undefined : make(kind, factory);
    },
    report: (only) =>
      Promise.all(
        all()
          .filter(({ kind }) => only === undefined || kind === only)
          .map(({ kind, factory }) => reportOf(kind, make(kind, factory))),
      ),
    async sweep(keep, remove, report) {
      const left: string[] = [];
      for (const { kind, factory } of all())
        await make(kind, factory)
          .sweep?.(keep, remove)
          .then(
            (found) => left.push(...found),
            (error: unknown) => report(`${factory.name}: ${messageOf(error)}`),
          );
      return left;
    },
  };
};

/** The engine of a node that runs elsewhere; null: it runs here. With `--simulate` a node of an unknown compute is simulated here. */
const farEngine = (kind: Kind, { compute_id: id }: NodeNeeds, { elsewhere, simulate }: EngineChoice): Engine | null => {
  if (id === undefined || elsewhere?.isHere(id) !== false) return null;
  const engine = elsewhere.engine(kind, id);
  if (engine === undefined && simulate) return null;
  elsewhere.check(id);
  return engine ?? null;
};

interface Maker extends Pick<Engines, 'onExit' | 'onWarning' | 'onTrace' | 'close'> {
  make: (kind: Kind, factory: EngineFactory) => Engine;
}

const createMaker = (context: EngineContext): Maker => {
  const engines = new Map<string, Engine>();
  const emitter = new Emitter<{ exit: [Exit]; warning: [NodeWarning]; trace: [Trace] }>();
  return {
    make(kind, factory) {
      const key = `${kind.name}/${factory.name}`;
      const known = engines.get(key);
      if (known !== undefined) return known;
      const engine = factory.create(context);
      engine.onExit((exit) => emitter.emit('exit', exit));
      engine.onWarning?.((warning) => emitter.emit('warning', warning));
      engine.onTrace?.((trace) => emitter.emit('trace', trace));
      engines.set(key, engine);
      return engine;
    },
    onExit: emitter.subscriber('exit'),
    onWarning: emitter.subscriber('warning'),
    onTrace: emitter.subscriber('trace'),
    async close() {
      await Promise.allSettled([...engines.values()].map((engine) => engine.close()));
      engines.clear();
    },
  };
};

/** `chosen`: names of engines by kind. */
const createChooser = (
  make: Maker['make'],
  chosen: ReadonlyMap<string, string>,
  simulate: boolean,
): Engines['forNode'] => {
  /** Without `--simulate` an engine that is there is taken for every node: a start that lacks an image must say so. */
  const lackOf = async (engine: Engine, node: NodeNeeds): Promise<Missing | null> => {
    const missing = await engine.missing(node);
    if (missing !== null || !simulate) return missing;
    return (await engine.incomplete?.(node)) ?? null;
  };
  const firstAvailable = async (kind: Kind, node: NodeNeeds): Promise<Engine> => {
    let missing: Missing | null = null;
    for (const factory of kind.engines) {
      const engine = make(kind, factory);
      const lacks = await lackOf(engine, node);
      if (lacks === null) return engine;
      missing ??= lacks;
    }
    if (simulate) return make(kind, SIMULATED);
    throw new TopologError('engine_missing', { what: node.name, ...(missing ?? NO_ENGINE) });
  };
  return async (kind, node) => {
    const wished = node.properties['engine'] ?? chosen.get(kind.name);
    if (typeof wished !== 'string') return firstAvailable(kind, node);
    const engine = make(kind, factoryOf(kind, wished));
    const missing = await engine.missing(node);
    if (missing !== null) throw new TopologError('engine_missing', { what: node.name, ...missing });
    return engine;
  };
};

const reportOf = async (kind: Kind, engine: Engine): Promise<EngineReport> => {
  const missing = (await engine.missing(null)) ?? (await engine.unprovided?.()) ?? null;
  const version = missing === null ? ((await engine.version?.()) ?? null) : null;
  return { kind: kind.name, engine: engine.name, available: missing === null, version, missing };
};

const NO_ENGINE: Missing = {
  needs: 'an engine',
  install: 'this version of Topolog has none for this kind; set properties.engine to "simulated" to go on without it',
};

const factories = (kind: Kind): readonly EngineFactory[] => [...kind.engines, SIMULATED];

const factoryOf = (kind: Kind, name: string): EngineFactory => {
  const found = factories(kind).find((factory) => factory.name === name);
  if (found !== undefined) return found;
  const possible = factories(kind).map((factory) => factory.name);
  throw invalid(`${name} is not an engine of ${kind.name}; possible: ${possible.join(', ')}`, { field: 'engine' });
};

const checkedChoice = (kinds: Kinds, choice: EngineChoice): ReadonlyMap<string, string> => {
  const chosen = new Map<string, string>();
  for (const [name, engine] of Object.entries(choice.engines)) {
    const kind = kinds.get(name);
    if (kind === undefined)
      throw invalid(
        `${name} is not a kind of node; possible: ${kinds
          .all()
          .map((k) => k.name)
          .join(', ')}`,
      );
    chosen.set(kind.name, factoryOf(kind, engine).name);
  }
  return chosen;
};
