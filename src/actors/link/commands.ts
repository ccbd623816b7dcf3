import { conflict, notFound } from '../../common/errors.ts';
import type { AnyDraft } from '../../events/schemas.ts';
import { checkFilters } from '../../fabric/client/plumbing.ts';
import type { LinkRecord, NodeRecord } from '../../projections/records.ts';
import type { CaptureActor } from '../capture/actor.ts';
import { captureFor, captureName, portOf } from '../capture/captures.ts';
import type { Caller, Commands } from '../commands.ts';
import { draft, type LabContext, nodeOf, openProjectOf } from '../context.ts';
import type { Directory } from '../directory.ts';
import { draftsOf, type StepOf } from '../runtime/decision.ts';
import { checkPrecondition } from '../runtime/precondition.ts';
import { settleLink } from './cabling.ts';
import { decideLink, linkOf } from './decide.ts';

type LinkCommands = Pick<
  Commands,
  'createLink' | 'updateLink' | 'deleteLink' | 'startLinkCapture' | 'stopLinkCapture' | 'flushCapture'
>;

export const linkCommands = (context: LabContext, directory: Directory): LinkCommands => {
  const { pending, committed, log } = context;

  const decideNow = (caller: Caller, projectId: string, step: StepOf<'link'>): { id: string; drafts: AnyDraft[] } => {
    const { id, events } = decideLink(context, projectId, step);
    return { id, drafts: draftsOf(caller, projectId, events) };
  };

  const answer = (linkId: string): LinkRecord => {
    const record = committed.get('link', linkId);
    if (record === undefined) throw notFound('Link', linkId);
    return record;
  };

  return {
    async createLink(caller, projectId, input) {
      openProjectOf(pending, projectId);
      const filters = await checkFilters(input.filters ?? {});
      const { id, drafts } = decideNow(caller, projectId, {
        ...{ action: 'create', type: 'link' },
        input: { ...input, filters },
      });
      await log.append(drafts);
      try {
        await settleLink(context, id);
      } catch (error) {
        // The world refused: the link must not stay on the record as if it were there.
        await log.append([draft(caller, projectId, 'link.deleted', { link_id: id, project_id: projectId })]);
        // Recovery may have brought its cable up meanwhile.
        await settleLink(context, id).catch((e: unknown) => context.logger.warn({ project_id: projectId }, String(e)));
        throw error;
      }
      return answer(id);
    },

    async updateLink(caller, projectId, id, given) {
      linkOf(pending, projectId, id);
      const filters = given.filters === undefined ? {} : { filters: await checkFilters(given.filters) };
      checkPrecondition(caller, 'The link', linkOf(pending, projectId, id));
      const { drafts } = decideNow(caller, projectId, {
        ...{ action: 'update', type: 'link', id },
        changes: { ...given, ...filters },
      });
      const [event] = await log.append(drafts);
      const isMoved =
        event?.type === 'link.updated' && ('filters' in event.data.changes || 'suspend' in event.data.changes);
      if (isMoved) await settleLink(context, id);
      return answer(id);
    },

    async deleteLink(caller, projectId, id) {
      checkPrecondition(caller, 'The link', linkOf(pending, projectId, id));
      const onLink = ({ port }: CaptureActor): boolean => port.link_id === id;
      for (let on = directory.capturesOf(projectId).find(onLink); on; on = directory.capturesOf(projectId).find(onLink))
        await on.end(caller);
      await log.append(decideNow(caller, projectId, { action: 'delete', type: 'link', id }).drafts);
      await context.plumbing.removeCable(id);
    },

    async startLinkCapture(caller, projectId, linkId, input) {
      const project = openProjectOf(pending, projectId);
      const record = linkOf(pending, projectId, linkId);
      const ends = record.nodes.map((end) => ({ ...end, node: nodeOf(pending, projectId, end.node_id) }));
      const chosen = captureEnd(context, ends);
      const port = chosen && portOf(context, chosen.node, chosen);
      if (chosen === undefined || port === undefined)
        throw conflict('there is no running node on this link: start one of its ends first');
      const { node_id, adapter_number, port_number } = chosen;
      const capture = await captureFor(project, port, input, captureName(ends));
      const at = { project_id: projectId, link_id: linkId, node_id, adapter_number, port_number };
      await directory.startCapture(at, caller, capture);
      return answer(linkId);
    },

    async stopLinkCapture(caller, projectId, linkId) {
      const record = linkOf(pending, projectId, linkId);
      if (record.capture !== null) {
        const capture = directory.findCapture(record.capture);
        if (capture?.port.link_id === linkId) await capture.end(caller);
      }
      return answer(linkId);
    },

    flushCapture: (port) => context.plumbing.flushCapture(port),
  };
};

/** An always-on end that runs, or else any that runs. */
const captureEnd = <E extends { node: NodeRecord }>(context: LabContext, ends: E[]): E | undefined => {
  const running = ends.filter((e) => e.node.state === 'started');
  return running.find((e) => context.kinds.get(e.node.kind)?.capabilities.always_on === true) ?? running[0];
};
