import { hostname } from 'node:os';
import { z } from 'zod';
import { conflict, type TopologError } from '../../common/errors.ts';
import { VERSION } from '../../common/package.ts';
import type { ComputeCapabilities } from '../../events/server-fields.ts';
import type { HttpComputeClient, Identity } from './client.ts';
import { statusOf } from './errors.ts';
import type { Target } from './target.ts';

/** Longest wait for each answer. Milliseconds. */
const ANSWER_MS = 4_000;

const engine = z.object({
  node_type: z.string(),
  engine: z.string(),
  available: z.boolean(),
  version: z.string().nullable(),
  missing: z.object({ needs: z.string(), install: z.string() }).nullable(),
});

/** Answer to `GET /capabilities`; further keys are ignored. */
const capabilitiesAnswer = z.looseObject({
  version: z.string(),
  node_types: z.array(z.string()),
  platform: z.string().catch('unknown'),
  engines: z.array(engine).nullable().catch(null).default(null),
});

export interface ComputeInfo {
  capabilities: ComputeCapabilities;
  /** Engines of every kind; null: it does not tell them. */
  engines: z.infer<typeof engine>[] | null;
}

/** Makes a client. Its module is loaded with the first compute, as a server without computes starts sooner so. */
export const createClient = async (
  target: Target,
  identity: Identity,
  broken?: (error: TopologError) => void,
): Promise<HttpComputeClient> => {
  const { HttpComputeClient: Client } = await import('./client.ts');
  return new Client(target, identity, broken);
};

/** Asks a compute for its version and kinds, and claims it where it is a Topolog. Throws where it cannot be used. */
export const handshake = async (client: HttpComputeClient, identity: Identity, take: boolean): Promise<ComputeInfo> => {
  const timed = () => ({ signal: AbortSignal.timeout(ANSWER_MS) });
  const { headers, body } = await client.requestWithHeaders('GET', '/capabilities', timed()).catch(noCompute);
  const found = capabilitiesAnswer.safeParse(body);
  if (!found.success) throw conflict(NO_COMPUTE);
  const { version, node_types, platform, engines } = found.data;
  const topolog = typeof headers['x-topolog'] === 'string' ? headers['x-topolog'] : null;
  checkVersion({ version, topolog });
  if (topolog !== null) {
    const claim = { ...identity, name: hostname(), ...(take ? { take } : {}) };
    await client.requestWithHeaders('PUT', '/controller', { body: claim, ...timed() });
  }
  return { capabilities: { version, topolog, node_types, platform }, engines };
};

const NO_COMPUTE = 'what answers there is no compute';
/** Statuses with which a compute, too, can refuse the request. */
const POSSIBLE: ReadonlySet<number | undefined> = new Set([undefined, 401, 403, 409, 503]);

const noCompute = (error: unknown): never => {
  const status = statusOf(error);
  throw POSSIBLE.has(status) ? error : conflict(`${NO_COMPUTE}: it answers with ${status}`);
};

const minorOf = (version: string): string => version.split(/[.-]/).slice(0, 2).join('.');

/** The GNS3 version that speaks this protocol. */
const GNS3 = '2.2';

const checkVersion = ({ version, topolog }: Pick<ComputeCapabilities, 'version' | 'topolog'>): void => {
  if (topolog !== null && minorOf(topolog) !== minorOf(VERSION))
    throw conflict(`it is Topolog ${topolog}, and this is ${VERSION}: the first two numbers must be the same`);
  if (topolog === null && minorOf(version) !== GNS3)
    throw conflict(`it has version ${version}; a GNS3 server must be of ${GNS3}`);
};
