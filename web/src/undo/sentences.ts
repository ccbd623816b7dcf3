import type { Schemas } from 'topolog/client';
import { type Message, t } from '../words/words.ts';

type Said = Pick<Schemas['Edit'], 'action' | 'objects' | 'counts'>;
type Left = Schemas['Undone']['left'][number];

/** As many are named. */
const NAMED = 3;

const ACTIONS: Readonly<Record<Said['action'], Message>> = {
  create: 'create {what}',
  delete: 'delete {what}',
  move: 'move {what}',
  rename: 'rename {what}',
  change: 'change {what}',
};

/** An edit in a few words: `move R1, R2`. */
export const sayEdit = (edit: Said): string => {
  const [first] = edit.objects;
  const all = edit.counts.project + edit.counts.node + edit.counts.link + edit.counts.drawing;
  if (edit.action === 'rename' && all === 1 && first?.was != null && first.name !== null)
    return t('rename {was} to {name}', { was: first.was, name: first.name });
  return t(ACTIONS[edit.action], { what: whatOf(edit) });
};

const whatOf = ({ action, objects, counts }: Said): string => {
  // Links come and go with their nodes.
  const isWhole = action === 'create' || action === 'delete';
  const named = objects
    .filter(({ type, name }) => name !== null && (type === 'node' || type === 'link'))
    .filter(({ type }) => type === 'node' || counts.node === 0)
    .slice(0, NAMED);
  if (named.length === 0) return plainOf(counts);
  const counted =
    isWhole && counts.node > 0 ? counts.node + counts.drawing : counts.node + counts.link + counts.drawing;
  const names = named.map(({ type, name }) =>
    type === 'link' ? t('link {name}', { name: name ?? '' }) : (name ?? ''),
  );
  const rest = counted - named.length;
  return [names.join(', '), ...(rest > 0 ? [t('and {count} more', { count: rest })] : [])].join(' ');
};

const plainOf = ({ drawing, project }: Said['counts']): string =>
  drawing === 0 && project > 0
    ? t('the project settings')
    : t('{count, plural, one {a drawing} other {# drawings}}', { count: drawing });

const WHY: Readonly<Record<Left['why'], Message>> = {
  changed: '{name}: changed by {who} since',
  deleted: '{name}: deleted by {who} since',
  exists: '{name}: it is there again',
  linked: '{name}: it has other links now',
  no_end: '{name}: a node is missing, or its port is taken',
  not_kept: '{name}: the log does not keep all of it',
};

const TYPES: Readonly<Record<Left['type'], Message>> = {
  node: 'a node',
  link: 'a link',
  drawing: 'a drawing',
  project: 'the project settings',
};

/** Says what stays as it is, and why; null: nothing does. */
export const sayLeft = (left: readonly Left[]): string | null => {
  if (left.length === 0) return null;
  const said = left
    .slice(0, NAMED)
    .map(({ why, type, name, by }) =>
      t(WHY[why], { name: name ?? t(TYPES[type]), who: by?.principal ?? t('somebody') }),
    );
  const rest = left.length - said.length;
  return t('Left as it is: {list}', {
    list: [...said, ...(rest > 0 ? [t('and {count} more', { count: rest })] : [])].join('; '),
  });
};
