import { chown, mkdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { TopologError } from '../../common/errors.ts';
import { until } from '../../common/promises.ts';
import { userDirectory } from '../../fabric/client/runtime-directory.ts';
import { markArgument } from '../../processes/marker.ts';
import type { EngineContext, EngineFactory, KindNode, Missing } from '../kit/contract.ts';
import { which } from '../shared/process/find-program.ts';
import { joinWords, splitWords } from '../shared/process/shell-words.ts';
import { natEngine, type NatPlan, type NatBackend, scriptOf } from './nat-engine.ts';

/** Leads out of the lab by passt, which needs no privileges: one for each port. */
export const PASST: EngineFactory = natEngine('passt', (context) => passtBackend(context));

const POLL_MS = 10;
const MISSING: Missing = { needs: 'passt', install: 'apt-get install passt' };

const passtBackend = (context: EngineContext): NatBackend => ({
  name: 'passt',
  missing: async () => ((await which('passt')) === null ? MISSING : null),
  async prepare(node) {
    const passt = await which('passt');
    if (passt === null) throw new TopologError('engine_missing', { what: node.name, ...MISSING });
    return planOf(node, passt, await makeNatSockets(node, context));
  },
  recall(node, script) {
    const { passt, directory } = partsOfScript(script) ?? { passt: '', directory: '' };
    const plan = planOf(node, passt, directory);
    return Promise.resolve(plan.script === script ? plan : null);
  },
  clean: ({ node_id }) => removeNatSockets(node_id, context),
  filterOutput: withoutNoise,
});

const planOf = ({ ports }: Pick<KindNode, 'ports'>, passt: string, directory: string): NatPlan => {
  const numbers = ports.map(({ port_number }) => port_number);
  return {
    script: natScript(passt, directory, numbers),
    to: ({ port_number }) => ({ type: 'stream', path: socketIn(directory, port_number), listen: false }),
    ready: (signal) =>
      areThere(
        numbers.map((number) => socketIn(directory, number)),
        signal,
      ),
  };
};

/** Resolves once every socket has been made, which passt does before it serves. */
const areThere = async (sockets: readonly string[], signal: AbortSignal): Promise<void> => {
  for (const socket of sockets) await until(() => stat(socket).then(Boolean, () => false), { every: POLL_MS, signal });
};

/** The network behind each port of a NAT node: the guest's lease, and the gateway that stands for the host. */
const GATEWAY = '192.168.122.1';
const PREFIX = 24;
/** First guest; each port leases the next, so that two guests of one node are not mistaken for one another. */
const FIRST_GUEST = 2;
const GUESTS = 250;
const MTU = 1500;

/** passt(1): serves one guest at a unix stream socket, over IPv4 only, and says no more than errors. */
export const passtArguments = (socket: string, port: number): string[] => [
  ...['-f', '-q', '-4', '-s', socket],
  ...['-a', leaseOf(port), '-n', `${PREFIX}`, '-g', GATEWAY, '-m', `${MTU}`],
];

/** The address that the guest at a port gets. */
export const leaseOf = (port: number): string => `192.168.122.${FIRST_GUEST + (port % GUESTS)}`;

/** Runs one passt for each port. */
export const natScript = (passt: string, directory: string, ports: readonly number[]): string =>
  scriptOf(ports.map((port) => joinWords([passt, ...passtArguments(socketIn(directory, port), port)])));

/** Reads the program and the directory of its sockets from a script with a passt; null for any other. */
export const partsOfScript = (script: string): { passt: string; directory: string } | null => {
  const command = /^\((.*); kill 0\) &$/m.exec(script)?.[1];
  if (command === undefined) return null;
  const words = splitWords(command, 'the script');
  const socket = words[words.indexOf('-s') + 1];
  const [passt] = words;
  return passt === undefined || socket === undefined ? null : { passt, directory: path.dirname(socket) };
};

/** Path of the socket of a port. */
const socketIn = (directory: string, port: number): string => path.join(directory, `${port}`);

/** Removes the complaints of a host that has no system log: passt prints one for each message. */
export const withoutNoise = (output: string): string =>
  output
    .split('\n')
    .filter((line) => !/^Failed to send \d+ bytes to syslog$/.test(line))
    .join('\n')
    .trim();

/**
 * Directory of the sockets of a node. It is named by the marker, which so is in passt's arguments: passt hides its environment.
 * Started as root it becomes `nobody`, who must be able to make the sockets: then the directory is that user's, and beside the
 * others of the system, as nobody else may pass through ours. Where passt is confined by AppArmor, it makes sockets below `/tmp` only.
 */
const directoryOf = async (nodeId: string, { mark }: EngineContext): Promise<string> =>
  path.join(isRoot() ? '/tmp' : await userDirectory(), markArgument(nodeId, mark));

const isRoot = (): boolean => process.getuid?.() === 0;

/** An empty directory for a start. */
const makeNatSockets = async ({ node_id }: Pick<KindNode, 'node_id'>, context: EngineContext): Promise<string> => {
  const directory = await directoryOf(node_id, context);
  await rm(directory, { recursive: true, force: true });
  // Fails where somebody else has made it meanwhile.
  await mkdir(directory, { mode: 0o700 });
  if (isRoot()) {
    const [user, group] = await nobody();
    await chown(directory, user, group);
  }
  return directory;
};

const removeNatSockets = async (nodeId: string, context: EngineContext): Promise<void> => {
  await rm(await directoryOf(nodeId, context), { recursive: true, force: true });
};

/** passwd(5): the user whom passt becomes, and its group. */
const nobody = async (): Promise<[number, number]> => {
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const [, user = '65534', group = '65534'] = /^nobody:[^:]*:(\d+):(\d+):/m.exec(users) ?? [];
  return [Number(user), Number(group)];
};
