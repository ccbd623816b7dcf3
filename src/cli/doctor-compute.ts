import { messageOf } from '../common/errors.ts';
import type { Client, Schemas } from '../client/index.ts';
import { computesOf } from './objects.ts';
import { runningServer } from './running-server.ts';
import { pick } from './names.ts';
import { printRows } from './table.ts';

type Compute = Schemas['Compute'];

const ONE = '/v2/computes/{compute_id}';
/** Time limit of a request. Milliseconds. */
const PATIENCE_MS = 10_000;

/** Prints the state of a compute of the running server; returns 0 if it can be used. */
export const doctorOfCompute = async (dataDir: string, wanted: string): Promise<number> => {
  const { client } = await runningServer(dataDir);
  const { compute } = pick('compute', await computesOf(client), wanted);
  const { protocol, host, port, user } = compute;
  const address = `${protocol}://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const problem = compute.connected ? await answerOf(client, compute) : { reason: whyAway(compute) };
  const ahead = 'reason' in problem ? null : await clockOf(client, compute);
  printRows([
    ['compute', `${compute.name} (${compute.compute_id})`],
    ['address', user === null ? address : `${address}, as user ${user}`],
    ['reachable', 'reason' in problem ? `no: ${problem.reason}` : `yes, answers in ${problem.ms} ms`],
    ['version', versionOf(compute)],
    ['claim', claimOf(compute)],
    ...('reason' in problem ? [] : [['addresses', problem.addresses]]),
    ...(ahead === null ? [] : [['clock', clockIn(ahead)]]),
  ]);
  if ('reason' in problem) return 1;
  await printEnginesOf(client, compute);
  process.stdout.write(`\n${isTooFar(ahead) ? CLOCKS : 'All is well.'}\n`);
  return 0;
};

const whyAway = ({ last_error }: Compute): string => last_error ?? 'it was not reached yet';

/** Sends the compute a request, as the known state is some seconds old. */
const answerOf = async (
  client: Client,
  { compute_id }: Compute,
): Promise<{ ms: number; addresses: string } | { reason: string }> => {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const before = performance.now();
  try {
    const path = { compute_id, emulator: 'network', action: 'interfaces' };
    const answer = await client.get('/v2/computes/{compute_id}/{emulator}/{action}', { path, signal });
    const ms = Math.round(performance.now() - before);
    return { ms, addresses: addressesIn(answer) };
  } catch (error) {
    return { reason: signal.aborted ? `it did not answer within ${PATIENCE_MS / 1000} s` : messageOf(error) };
  }
};

const addressesIn = (interfaces: unknown): string => {
  const found = (Array.isArray(interfaces) ? (interfaces as { ip_address?: unknown }[]) : []).flatMap(
    ({ ip_address: ip }) => (typeof ip === 'string' && ip !== '' ? [ip] : []),
  );
  return found.length === 0 ? 'it tells none' : found.join(', ');
};

/** Most seconds between two clocks whose times can be compared. */
const MOST_S = 2;
const CLOCKS = `It can be used. But its clock and that of this server are more than ${MOST_S} s apart, which is too much: what happened first
cannot be told by the times in captures, recordings and logs of both, and certificates may seem too new or too old. Have both set by NTP.`;

const isTooFar = (ahead: number | null): boolean => ahead !== null && Math.abs(ahead) > MOST_S;

/** Difference of clocks by the answer just given; null if the compute tells no time, or is this server. */
const clockOf = async (client: Client, { compute_id }: Compute): Promise<number | null> =>
  (await client.get(ONE, { path: { compute_id } })).clock_ahead ?? null;

const clockIn = (ahead: number): string =>
  ahead === 0
    ? 'as that of this server'
    : `${Math.abs(ahead)} s ${ahead > 0 ? 'ahead of' : 'behind'} that of this server`;

const versionOf = ({ topolog, capabilities: { version, platform } }: Compute): string => {
  if (version === null) return 'not known: it was never connected';
  return `${topolog == null ? `GNS3 ${version}` : `Topolog ${topolog}`} on ${platform ?? 'an unknown system'}`;
};

const claimOf = ({ compute_id, connected, topolog, capabilities: { version } }: Compute): string => {
  if (compute_id === 'local') return 'it is this server itself';
  if (version === null) return 'not known';
  if (topolog == null) return 'none: a GNS3 server takes every controller';
  return connected ? 'it is of this server' : 'was of this server when it was connected last';
};

const printEnginesOf = async (client: Client, { compute_id, capabilities: { node_types } }: Compute): Promise<void> => {
  const found = await client.get(`${ONE}/engines`, { path: { compute_id } });
  process.stdout.write('\nengines\n');
  if (found.length === 0) {
    process.stdout.write(`  it does not say which it has; it takes nodes of the kinds ${node_types.join(', ')}\n`);
    return;
  }
  printRows(
    found.map(({ node_type, engine, available, version, missing }) => [
      `  ${node_type}`,
      engine,
      available ? 'ready' : 'missing',
      missing === null ? (version ?? '') : `needs ${missing.needs}: ${missing.install}`,
    ]),
  );
};
