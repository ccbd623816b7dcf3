import { TopologError } from '../errors.ts';
import type { Engine, EngineFactory, KindNode, Missing } from './contract.ts';
import { which } from './which.ts';

/**
 * Engines that this version of Topolog does not have. They never run anything: they look for their program, and say what to
 * install; where it is installed, that Topolog cannot drive it yet.
 */
export interface AbsentEngine {
  name: string;
  /** The program as a user knows it. */
  needs: (properties: Record<string, unknown>) => string;
  install: string;
  found: (properties: Record<string, unknown>) => Promise<boolean>;
}

/** An engine whose program is looked for in the PATH: any of `programs` will do. */
export const absentProgram = (name: string, programs: readonly string[], install: string): EngineFactory =>
  absentEngine({
    name,
    needs: () => programs.join(' or '),
    install,
    found: async () => (await Promise.all(programs.map(which))).some((path) => path !== null),
  });

export const absentEngine = (absent: AbsentEngine): EngineFactory => ({
  name: absent.name,
  create: () => {
    const missing = async (node: Pick<KindNode, 'properties'> | null): Promise<Missing> => {
      const properties = node?.properties ?? {};
      const needs = absent.needs(properties);
      if (!(await absent.found(properties))) return { needs, install: absent.install };
      return {
        needs: `an engine that drives ${needs}`,
        install: `${needs} is there, but this version of Topolog cannot drive it yet; set properties.engine to "simulated" to go on without it`,
      };
    };
    const refuse = async (node: KindNode): Promise<never> => {
      throw new TopologError('engine_missing', { what: node.name, ...(await missing(node)) });
    };
    return {
      name: absent.name,
      concurrency: 1,
      missing,
      start: refuse,
      update: refuse,
      stop: () => Promise.resolve(),
      adopt: () => Promise.resolve(null),
      remove: () => Promise.resolve(),
      deadline: () => 10_000,
      onExit: () => undefined,
      close: () => Promise.resolve(),
    } satisfies Engine;
  },
});
