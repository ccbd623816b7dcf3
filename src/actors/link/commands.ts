import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { conflict, invalid, notFound } from '../../common/errors.ts';
import type { Label, LinkEnd, LinkFields, Port } from '../../events/fields.ts';
import type { DataOf } from '../../events/schemas.ts';
import { checkFilters } from '../../fabric/client/plumbing.ts';
import type { LinkRecord, NodeRecord } from '../../projections/records.ts';
import type { CaptureActor } from '../capture/actor.ts';
import { captureFor, captureName, portOf } from '../capture/captures.ts';
import type { Commands, LinkChanges, LinkInput } from '../commands.ts';
import { checkRoom, draft, type LabContext, nodeOf, openProjectOf } from '../context.ts';
import type { Directory } from '../directory.ts';
import { checkPrecondition } from '../runtime/precondition.ts';
import { settleLink } from './cabling.ts';

type LinkCommands = Pick<
  Commands,
  'createLink' | 'updateLink' | 'deleteLink' | 'startLinkCapture' | 'stopLinkCapture' | 'flushCapture'
>;

const LABEL_STYLE = 'font-family: TypeWriter;font-size: 10.0;font-weight: bold;fill: #000000;fill-opacity: 1.0;';

interface End {
  node: NodeRecord;
  port: Port;
  end: LinkEnd;
}

export const linkCommands = (context: LabContext, directory: Directory): LinkCommands => {
  const { pending, committed, log } = context;

  const linkOf = (projectId: string, linkId: string): LinkRecord => {
    openProjectOf(pending, projectId);
    const record = pending.get('link', linkId);
    if (record?.project_id !== projectId) throw notFound('Link', linkId);
    return record;
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
      openProjectOf(pending, projectId);
      const fields = { ...newLink(context, projectId, input), filters };
      const { link_id } = fields;
      await log.append([draft(caller, projectId, 'link.created', fields)]);
      try {
        await settleLink(context, link_id);
      } catch (error) {
        // The world refused: the link must not stay on the record as if it were there.
        await log.append([draft(caller, projectId, 'link.deleted', { link_id, project_id: projectId })]);
        // Recovery may have brought its cable up meanwhile.
        await settleLink(context, link_id).catch((e: unknown) => context.report(String(e)));
        throw error;
      }
      return answer(link_id);
    },

    async updateLink(caller, projectId, linkId, given) {
      linkOf(projectId, linkId);
      const filters = given.filters === undefined ? undefined : await checkFilters(given.filters);
      const record = linkOf(projectId, linkId);
      checkPrecondition(caller, 'The link', record);
      const changes = linkChanges(record, filters === undefined ? given : { ...given, filters });
      if (Object.keys(changes).length === 0) return answer(linkId);
      await log.append([draft(caller, projectId, 'link.updated', { link_id: linkId, project_id: projectId, changes })]);
      if (changes.filters !== undefined || changes.suspend !== undefined) await settleLink(context, linkId);
      return answer(linkId);
    },

    async deleteLink(caller, projectId, linkId) {
      const record = linkOf(projectId, linkId);
      checkPrecondition(caller, 'The link', record);
      const onLink = ({ port }: CaptureActor): boolean => port.link_id === linkId;
      for (let on = directory.capturesOf(projectId).find(onLink); on; on = directory.capturesOf(projectId).find(onLink))
        await on.end(caller);
      linkOf(projectId, linkId);
      await log.append([draft(caller, projectId, 'link.deleted', { link_id: linkId, project_id: projectId })]);
      await context.plumbing.removeCable(linkId);
    },

    async startLinkCapture(caller, projectId, linkId, input) {
      const project = openProjectOf(pending, projectId);
      const record = linkOf(projectId, linkId);
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
      const record = linkOf(projectId, linkId);
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

export const defaultEndLabel = (adapter: number, port: number): Label => ({
  text: `${adapter}/${port}`,
  style: LABEL_STYLE,
});

export const newLink = (
  context: Pick<LabContext, 'pending' | 'kinds'>,
  projectId: string,
  input: LinkInput,
): LinkFields => {
  const link_id = input.link_id ?? randomUUID();
  checkRoom(context.pending, projectId, 'link');
  if (context.pending.get('link', link_id) !== undefined)
    throw conflict(`link_id ${link_id} is in use`, { field: 'link_id' });
  const [a, b, more] = input.nodes.map((end) => endOf(context, projectId, end));
  if (a === undefined || b === undefined || more !== undefined)
    throw invalid('nodes must be the two ends of the link', { field: 'nodes' });
  checkPair(context, a, b);
  checkFree(context, [a, b]);
  return {
    link_id,
    project_id: projectId,
    link_type: a.port.link_type,
    nodes: [a.end, b.end],
    suspend: input.suspend ?? false,
    filters: {},
    link_style: input.link_style ?? {},
    extra: {},
  };
};

const endOf = (
  context: Pick<LabContext, 'pending' | 'kinds'>,
  projectId: string,
  given: LinkInput['nodes'][number],
): End => {
  const node = nodeOf(context.pending, projectId, given.node_id);
  const { node_id, adapter_number, port_number } = given;
  const port = portOf(context, node, given);
  if (port === undefined) throw notFound(`Port of ${node.name}`, `${adapter_number}/${port_number}`);
  const label = given.label ?? defaultEndLabel(adapter_number, port_number);
  return { node, port, end: { node_id, adapter_number, port_number, label } };
};

const checkPair = (context: Pick<LabContext, 'kinds'>, a: End, b: End): void => {
  if (a.node.node_id === b.node.node_id) throw conflict('a link cannot join a node to itself');
  if (a.port.link_type !== b.port.link_type)
    throw conflict(
      `${a.node.name} ${a.port.name} is ${a.port.link_type} and ${b.node.name} ${b.port.name} is ${b.port.link_type}`,
    );
  const leadsOut = (e: End): boolean => context.kinds.get(e.node.kind)?.capabilities.leads_out === true;
  if (leadsOut(a) && leadsOut(b))
    throw conflict(`${a.node.name} and ${b.node.name} both lead out of the lab and cannot be linked`);
};

const checkFree = (context: Pick<LabContext, 'pending'>, ends: End[]): void => {
  for (const { node, end } of ends) {
    const key = `${end.adapter_number}/${end.port_number}`;
    if (node.nios[key] !== undefined) throw conflict(`port ${key} of ${node.name} has a NIO`);
    for (const link of context.pending.linksOf(end.node_id))
      if (link.nodes.some((n) => n.node_id === end.node_id && `${n.adapter_number}/${n.port_number}` === key))
        throw conflict(`port ${key} of ${node.name} is already used by link ${link.link_id}`);
  }
};

/** Labels replace those of the ends they name; ends themselves stay where they are. */
export const linkChanges = (record: LinkRecord, given: LinkChanges): DataOf<'link.updated'>['changes'] => {
  const changes: DataOf<'link.updated'>['changes'] = {};
  for (const { node_id } of given.nodes ?? [])
    if (!record.nodes.some((n) => n.node_id === node_id)) throw notFound('Node of the link', node_id);
  if (given.nodes !== undefined)
    changes.nodes = record.nodes.map((end) => {
      const label = given.nodes?.find((n) => n.node_id === end.node_id)?.label;
      return label === undefined ? end : { ...end, label };
    });
  if (given.suspend !== undefined) changes.suspend = given.suspend;
  if (given.filters !== undefined) changes.filters = given.filters;
  if (given.link_style !== undefined) changes.link_style = given.link_style;
  return Object.fromEntries(
    Object.entries(changes).filter(([key, value]) => !isDeepStrictEqual(value, record[key as keyof LinkRecord])),
  );
};
