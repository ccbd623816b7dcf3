import { randomUUID } from 'node:crypto';
import { conflict, invalid, TopologError } from '../../common/errors.ts';
import { originOf } from '../../computes/client/target.ts';
import { leadsHere } from '../../common/loopback.ts';
import { LOCAL } from '../../computes/computes.ts';
import { hostUse } from '../../emulators/kit/host-uses.ts';
import type { ComputeFields } from '../../events/server-fields.ts';
import type { ComputeRecord } from '../../projections/records.ts';
import type { Caller } from '../caller.ts';
import { checkServerRoom, draft, type LabContext, recordOf } from '../context.ts';
import type { Directory } from '../directory.ts';
import type { NodeActor } from '../node/actor.ts';
import { isNothing, realChanges } from '../runtime/decision.ts';
import type { ComputeChanges, ComputeCommands, ComputeInput } from './interface.ts';
import { moveCommands } from './move.ts';
import { AUTO } from './placing.ts';
import { nodesAt } from './watch.ts';

export const computeCommands = (directory: Directory): ComputeCommands => ({
  ...changing(directory.context),
  ...removing(directory),
  ...moveCommands(directory),
});

/** Once it is connected, or cannot be for now. */
const connectedRecord = async ({ committed, computes }: LabContext, id: string): Promise<ComputeRecord> => {
  await computes.find(id)?.compute.settled();
  return recordOf(committed, 'compute', id);
};

const changing = (context: LabContext): Pick<ComputeCommands, 'addCompute' | 'updateCompute' | 'connectCompute'> => {
  const { pending, committed, log, computes } = context;
  return {
    async addCompute(caller, input) {
      const id = input.compute_id ?? randomUUID();
      const known = pending.get('compute', id);
      const take = input.take === true;
      if (known !== undefined) {
        if (take || computes.find(id)?.compute.isConnected !== true) computes.put(known, take);
        return connectedRecord(context, id);
      }
      const fields = newCompute(context, id, input);
      const password = input.password ?? null;
      const answers = await computes.probe(fields, { password, take });
      await computes.secrets.keep(id, password);
      await log.append([draft(caller, null, 'compute.added', fields)]);
      computes.put(recordOf(committed, 'compute', id), take);
      return answers ? connectedRecord(context, id) : recordOf(committed, 'compute', id);
    },

    async updateCompute(caller, id, given) {
      const record = recordOf(pending, 'compute', id);
      const changes = changesOf(context, record, given);
      const after = { ...record, ...changes };
      const password = passwordFor(computes.secrets.passwordOf(id), given, { record: after, changes });
      const take = given.take === true;
      if (isNothing(changes) && password === computes.secrets.passwordOf(id) && !take)
        return log.settled().then(() => record);
      await computes.probe(after, { password, take });
      await computes.secrets.keep(id, password);
      if (!isNothing(changes)) await log.append([draft(caller, null, 'compute.updated', { compute_id: id, changes })]);
      computes.put(recordOf(committed, 'compute', id), take);
      return connectedRecord(context, id);
    },

    async connectCompute(_caller, id) {
      const record = recordOf(pending, 'compute', id);
      if ((await computes.find(id)?.compute.claimAgain()) !== true) computes.put(record);
      const { name } = await connectedRecord(context, id);
      const problem = computes.find(id)?.compute.problem ?? null;
      if (problem !== null) throw new TopologError('compute_unreachable', { name, reason: problem });
      return recordOf(committed, 'compute', id);
    },
  };
};

const removing = (directory: Directory): Pick<ComputeCommands, 'removeCompute'> => {
  const { context } = directory;
  const { pending, log, computes } = context;
  return {
    async removeCompute(caller, id) {
      if (computes.isHere(id)) throw conflict('this server itself cannot be removed', { field: 'compute_id' });
      if (pending.get('compute', id) === undefined) return;
      await Promise.all(nodesAt(context, id).map(({ node_id }) => endNode(directory, caller, node_id)));
      await log.append([draft(caller, null, 'compute.removed', { compute_id: id })]);
      await computes.release(id);
      computes.remove(id);
      await computes.secrets.keep(id, null);
      // Nobody waits for it any more.
      const away = nodesAt(context, id).filter(({ unreachable }) => unreachable !== undefined);
      if (away.length > 0)
        await log.append(
          away.map(({ node_id, project_id }) => draft(caller, project_id, 'node.reachable', { node_id, project_id })),
        );
    },
  };
};

const isStopped = ({ state }: NodeActor): boolean => state === 'stopped';

/** What runs at a compute that goes is stopped; what cannot be stopped is lost. */
const endNode = async (directory: Directory, caller: Caller, nodeId: string): Promise<void> => {
  const actor = directory.findNode(nodeId);
  if (actor === undefined || isStopped(actor)) return;
  await actor.act(caller, 'stop').catch(() => undefined);
  if (!isStopped(actor)) await actor.observe('node.lost', { reason: 'its compute was removed' });
};

const newCompute = (context: LabContext, id: string, input: ComputeInput): ComputeFields => {
  const { protocol, host, port, user = null, certificate } = input;
  if (context.computes.isHere(id) || id === AUTO)
    throw conflict(`compute_id ${id} is this server's own`, { field: 'compute_id' });
  checkHost(context, host);
  checkServerRoom(context.pending, 'compute');
  return {
    ...{ compute_id: id, protocol, host, port, user, name: originOf({ protocol, host, port }) },
    ...(certificate == null ? {} : { certificate: checkedCertificate(certificate) }),
    ...named(context, id, input.name),
  };
};

const named = ({ pending }: LabContext, id: string, name: string | null | undefined): { name?: string } => {
  if (name == null) return {};
  const isTaken = pending.ofServer('compute').some((other) => other.name === name && other.compute_id !== id);
  if (isTaken || name === LOCAL) throw conflict(`Compute name "${name}" already exists`, { field: 'name' });
  return { name };
};

const changesOf = (context: LabContext, record: ComputeRecord, given: ComputeChanges): Partial<ComputeFields> => {
  const { protocol, host, port, user, certificate } = given;
  if (host !== undefined) checkHost(context, host);
  return realChanges(record, {
    ...named(context, record.compute_id, given.name),
    ...(protocol === undefined ? {} : { protocol }),
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port }),
    ...(user === undefined ? {} : { user }),
    ...(certificate == null ? {} : { certificate: checkedCertificate(certificate) }),
  });
};

/** What says to whom a password goes. */
const PLACE = ['protocol', 'host', 'port', 'certificate'] as const;

/** The one that is kept is for the place that it was given for. `record`: with the changes. */
const passwordFor = (
  kept: string | null,
  given: ComputeChanges,
  { record, changes }: { record: ComputeRecord; changes: Partial<ComputeFields> },
): string | null => {
  if (given.password !== undefined) return given.password;
  if (kept === null || !PLACE.some((field) => field in changes)) return kept;
  if (record.user === null) return null;
  throw invalid('password must be given again, as the kept one is for the address that the compute had', {
    field: 'password',
  });
};

const checkHost = ({ settings }: LabContext, host: string): void => {
  if (/[\s/@?#]/.test(host) || !URL.canParse(originOf({ protocol: 'http', host, port: 1 })))
    throw invalid('host must be an address or a name, without a port or a path', { field: 'host' });
  if (!settings.local && leadsHere(originOf({ protocol: 'http', host, port: 1 })))
    throw hostUse({ field: 'host', reason: `${host} is the server’s own machine` });
};

const checkedCertificate = (text: string): string => {
  if (/^-----BEGIN CERTIFICATE-----[\s\S]+-----END CERTIFICATE-----\s*$/.test(text)) return text;
  throw invalid('certificate must be a certificate in PEM', { field: 'certificate' });
};
