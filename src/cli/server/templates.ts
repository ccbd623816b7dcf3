import { stringify } from 'yaml';
import type { Client, Schemas } from '../../client/index.ts';
import { type Named, pick, verbIn } from '../names.ts';
import { printable } from '../printable.ts';
import { wrongUsage } from '../command.ts';
import { needYes } from '../running-server.ts';
import { type Asked, type Done, labCommand } from '../lab-command.ts';

type Template = Schemas['Template'];

const TEMPLATES = '/v2/templates';

interface NamedTemplate extends Named {
  template: Template;
}

export const templatesOf = async (client: Client): Promise<NamedTemplate[]> =>
  (await client.get(TEMPLATES)).map((template) => ({ id: template.template_id, names: [template.name], template }));

/** `topolog templates` */
export const templatesCommand = labCommand(
  'templates [ls | show TEMPLATE | rm TEMPLATE... [--yes]]',
  [0, Infinity],
  `What nodes can be made of, by topolog add.

  ls               list them: name, kind, and which are built in
  show TEMPLATE    all that it says
  rm TEMPLATE...   delete templates, once that was confirmed, or with --yes (-y); nodes made of them stay

A template is named by its name, a beginning that no other has, or its id.`,
  async (asked) => {
    const [word = 'ls', ...names] = asked.wanted;
    const verb = verbIn('topolog templates', VERBS, word);
    const [least, most, takes] = COUNTS[verb];
    if (names.length < least || names.length > most) throw wrongUsage(`templates ${takes}`);
    const templates = await templatesOf(asked.client);
    const wanted = names.map((name) => pick('template', templates, name));
    return ACTIONS[verb](asked, verb === 'ls' ? templates : wanted);
  },
);

const VERBS = ['ls', 'show', 'rm'] as const;
const COUNTS = { ls: [0, 0, 'ls'], show: [1, 1, 'show TEMPLATE'], rm: [1, Infinity, 'rm TEMPLATE...'] } as const;

const list = (_asked: Asked, templates: readonly NamedTemplate[]): Promise<Done> =>
  Promise.resolve({
    records: templates.map(({ template }) => template),
    rows: templates.map(({ template: { name, template_type, builtin } }) => [
      name,
      template_type,
      builtin ? 'built in' : '',
    ]),
  });

const show = (_asked: Asked, [named]: readonly NamedTemplate[]): Promise<Done> => {
  const entries = Object.entries(named?.template ?? {});
  const rows = entries.map(([key, value]) => [key, typeof value === 'string' ? value : stringify(value).trimEnd()]);
  return Promise.resolve({ records: named?.template, rows });
};

const remove = async ({ client, yes }: Asked, templates: readonly NamedTemplate[]): Promise<Done> => {
  const names = templates.map(({ names: [name] }) => name);
  const all = printable(names.join(', '));
  if (!yes) await needYes(`Delete template ${all} for good?`, `not deleted: template ${all}`);
  for (const { id } of templates) await client.delete(`${TEMPLATES}/{template_id}`, { path: { template_id: id } });
  return { records: templates.map(({ id }) => id), rows: names.map((name) => [`template ${name}`, 'deleted']) };
};

const ACTIONS = { ls: list, show, rm: remove };
