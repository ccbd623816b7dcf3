import type { Schemas } from 'topolog/client';
import type { Lab } from '../store/lab.ts';
import { titleOf } from '../words/titles.ts';
import { type Message, t } from '../words/words.ts';

export type Restored = Schemas['Restored'];
export type Change = Restored['changes'][number];

/** Objects to restore, and the moment they are taken from. */
export interface Wish {
  /** Position of the log. */
  readonly at: number;
  /** Absent: all of the lab. */
  readonly objects?: { readonly type: Change['type']; readonly id: string }[];
}

/** Does it, or (`plan`) only says what would change. */
export const restore = ({ client, projectId }: Lab, { at, objects }: Wish, plan: boolean): Promise<Restored> =>
  client.post('/v2/projects/{project_id}/restore', {
    path: { project_id: projectId },
    body: { at: String(at), plan, ...(objects === undefined ? {} : { objects }) },
  });

const TYPES: Readonly<Record<Change['type'], Message>> = {
  node: 'a node',
  link: 'a link',
  drawing: 'a drawing',
  project: 'the project settings',
};

const ACTIONS: Readonly<Record<Change['action'], Message>> = {
  create: '{name} comes back',
  delete: '{name} is deleted',
  change: '{name} changes',
};

export const sayChange = ({ type, name, action }: Change): string =>
  t(ACTIONS[action], { name: type === 'project' ? t('the project settings') : (name ?? t(TYPES[type])) });

const LONGEST = 60;
const sayValue = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
};

/** One of its fields: `x: 5 → 0`. */
export const sayField = ({ field, from, to }: Change['fields'][number]): string => {
  const name = field.startsWith('nodes.') ? t('label') : titleOf(field);
  return `${name}: ${sayValue(from)} → ${sayValue(to)}`;
};
