import { randomUUID } from 'node:crypto';
import { conflict, notFound } from '../../common/errors.ts';
import type { Properties } from '../../emulators/kit/contract.ts';
import { readConfigText } from '../../files/read/config-texts.ts';
import type { TemplateFields } from '../../events/server-fields.ts';
import type { TemplateRecord } from '../../projections/records.ts';
import type { Caller } from '../caller.ts';
import { appendOne, checkServerRoom, draft, type LabContext, openProjectOf, recordOf } from '../context.ts';
import { isNothing, realChanges } from '../runtime/decision.ts';
import { checkPrecondition } from '../runtime/precondition.ts';
import { kindOf, uniqueName } from '../node/fields.ts';
import type { NodeCommands } from '../node/interface.ts';
import type { TemplateChanges, TemplateCommands } from './interface.ts';
import { builtinTemplates, newTemplate, nodeOfTemplate } from './templates.ts';

export const templateCommands = (context: LabContext, nodes: Pick<NodeCommands, 'createNode'>): TemplateCommands => {
  const builtin = builtinTemplates(context.kinds);
  const find = (id: string): TemplateRecord => {
    const record = context.pending.get('template', id) ?? builtin.get(id);
    if (record === undefined) throw notFound('Template', id);
    return record;
  };
  return {
    ...writes(context, builtin, find),

    async createNodeFromTemplate(caller, projectId, templateId, place) {
      openProjectOf(context.pending, projectId);
      const template = find(templateId);
      const kind = kindOf(context, template.kind);
      const { texts, missing } = await textsOf(context, kind.template.texts, template.settings);
      const input = nodeOfTemplate(kind, template, place, texts);
      const node = await nodes.createNode(caller, projectId, input, 'make_unique');
      for (const file of missing) {
        const message = `${node.name} starts without ${file}: it is not in the directory configs of the server's files`;
        await appendOne(context, caller, projectId, 'warning.raised', { message, node_id: node.node_id });
      }
      return node;
    },
  };
};

const writes = (
  context: LabContext,
  builtin: ReadonlyMap<string, TemplateRecord>,
  find: (id: string) => TemplateRecord,
): Omit<TemplateCommands, 'createNodeFromTemplate'> => {
  const { pending, committed, log } = context;

  const answer = (id: string): TemplateRecord => recordOf(committed, 'template', id);

  const create = async (caller: Caller, ...given: Parameters<typeof newTemplate>): Promise<TemplateRecord> => {
    await log.append([draft(caller, null, 'template.created', newTemplate(...given))]);
    return answer(given[1]);
  };

  return {
    async createTemplate(caller, input) {
      const template_id = input.template_id ?? randomUUID();
      if (builtin.has(template_id) || pending.get('template', template_id) !== undefined)
        throw conflict(`template_id ${template_id} is in use`, { field: 'template_id' });
      checkServerRoom(pending, 'template');
      return create(caller, kindOf(context, input.kind), template_id, input);
    },

    async updateTemplate(caller, id, given) {
      const record = checkPrecondition(caller, 'The template', find(id));
      const changes = changesOf(context, record, given);
      if (isNothing(changes)) return log.settled().then(() => record);
      const isKept = pending.get('template', id) !== undefined;
      const event = isKept
        ? draft(caller, null, 'template.updated', { template_id: id, changes })
        : draft(caller, null, 'template.created', { ...fieldsOf(record), ...changes, builtin: true });
      await log.append([event]);
      return answer(id);
    },

    async deleteTemplate(caller, id) {
      checkPrecondition(caller, 'The template', own(find(id), 'deleted'));
      await log.append([draft(caller, null, 'template.deleted', { template_id: id })]);
    },

    async duplicateTemplate(caller, id) {
      const { kind, template_id: _id, ...rest } = fieldsOf(own(find(id), 'duplicated'));
      const name = uniqueName(
        rest.name,
        new Set([...builtin.values(), ...pending.ofServer('template')].map((t) => t.name)),
      );
      return create(caller, kindOf(context, kind), randomUUID(), { ...rest, kind, name });
    },
  };
};

/** A template that somebody made. */
const own = (record: TemplateRecord, what: string): TemplateRecord => {
  if (record.builtin) throw conflict(`the template ${record.name} is built in: it cannot be ${what}`);
  return record;
};

const fieldsOf = ({
  created: _created,
  changed: _changed,
  builtin: _builtin,
  ...fields
}: TemplateRecord): TemplateFields => fields;

/** Texts of the files that a template names, by the property that takes each; and the files that are not there. */
export const textsOf = async (
  { settings: { filesDir } }: LabContext,
  names: Readonly<Record<string, string>>,
  settings: Properties,
): Promise<{ texts: Properties; missing: string[] }> => {
  const texts: Properties = {};
  const missing: string[] = [];
  for (const [key, property] of Object.entries(names)) {
    const file = settings[key];
    if (typeof file !== 'string' || file === '') continue;
    const text = await readConfigText(filesDir, file);
    if (text === null) missing.push(file);
    else texts[property] = text;
  }
  return { texts, missing };
};

/** What really changes, as final values for the event. */
const changesOf = (context: LabContext, record: TemplateRecord, given: TemplateChanges): TemplateChanges => {
  const kind = kindOf(context, record.kind);
  const settings =
    given.settings === undefined
      ? {}
      : {
          settings: kind.template.complete({
            ...record.settings,
            ...context.secrets.known(null, given.settings, record.settings),
          }),
        };
  return realChanges(record, { ...given, ...settings });
};
