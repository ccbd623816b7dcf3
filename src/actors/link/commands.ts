import { reporting, TopologError } from '../../common/errors.ts';
import type { AnyDraft } from '../../events/schemas.ts';
import { checkFilters } from '../../fabric/client/plumbing.ts';
import type { CaptureActor } from '../capture/actor.ts';
import type { Caller } from '../caller.ts';
import { draft, openProjectOf, recordOf } from '../context.ts';
import type { Directory } from '../directory.ts';
import { draftsOf, type StepOf } from '../runtime/decision.ts';
import { checkPrecondition } from '../runtime/precondition.ts';
import { checkTunnel, removeLink, settleLink } from './cabling.ts';
import { leaveUnlinked, serveLinked } from '../node/served-ports.ts';
import type { LinkRecord } from '../../projections/records.ts';
import { decideLink, linkOf } from './decide.ts';
import type { LinkCommands } from './interface.ts';

const nodesAt = ({ nodes }: LinkRecord): string[] => nodes.map(({ node_id }) => node_id);

/** Brings up a link that was just made. Where the world refuses, it must not stay on the record as if it were there. */
const connect = async (directory: Directory, caller: Caller, link: LinkRecord): Promise<void> => {
  const { context } = directory;
  const { link_id, project_id } = link;
  try {
    await serveLinked(directory, nodesAt(link));
    await settleLink(context, link_id);
  } catch (error) {
    // It gets its tunnel when the compute is back.
    if (error instanceof TopologError && error.code === 'compute_unreachable') return;
    await context.log.append([draft(caller, project_id, 'link.deleted', { link_id, project_id })]);
    // Recovery may have brought its cable up meanwhile, and the other end of a tunnel is there.
    await removeLink(context, link).catch(reporting(context.logger, { project_id, request_id: caller.request_id }));
    await leaveUnlinked(directory, nodesAt(link));
    throw error;
  }
};

export const linkCommands = (directory: Directory): LinkCommands => {
  const { context } = directory;
  const { pending, committed, log } = context;

  const decideNow = (caller: Caller, projectId: string, step: StepOf<'link'>): { id: string; drafts: AnyDraft[] } => {
    const { id, events } = decideLink(context, projectId, step);
    return { id, drafts: draftsOf(caller, projectId, events) };
  };

  return {
    async createLink(caller, project_id, given) {
      openProjectOf(pending, project_id);
      const input = { ...given, filters: await checkFilters(given.filters ?? {}) };
      const { id, drafts } = decideNow(caller, project_id, { action: 'create', type: 'link', input });
      await log.append(drafts);
      await connect(directory, caller, recordOf(committed, 'link', id));
      return recordOf(committed, 'link', id);
    },

    async updateLink(caller, at, given) {
      linkOf(pending, at);
      const filters = given.filters === undefined ? {} : { filters: await checkFilters(given.filters) };
      const record = checkPrecondition(caller, 'The link', linkOf(pending, at));
      const changes = { ...given, ...filters };
      checkTunnel(context, record, changes);
      const { id, drafts } = decideNow(caller, at.project_id, {
        ...{ action: 'update', type: 'link', id: at.link_id },
        changes,
      });
      const [event] = await log.append(drafts);
      const isMoved =
        event?.type === 'link.updated' && ('filters' in event.data.changes || 'suspend' in event.data.changes);
      if (isMoved) await settleLink(context, id);
      return recordOf(committed, 'link', id);
    },

    async deleteLink(caller, at) {
      const { project_id, link_id: id } = at;
      checkPrecondition(caller, 'The link', linkOf(pending, at));
      const onLink = ({ port }: CaptureActor): boolean => port.link_id === id;
      const found = (): CaptureActor | undefined => directory.capturesOf(project_id).find(onLink);
      for (let on = found(); on; on = found()) await on.end(caller);
      const link = linkOf(pending, at);
      await log.append(decideNow(caller, project_id, { action: 'delete', type: 'link', id }).drafts);
      await removeLink(context, link);
      await leaveUnlinked(directory, nodesAt(link));
    },
  };
};
