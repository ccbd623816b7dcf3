import { saveCheck } from './checks.ts';
import { attempt, notify } from '../store/notices.ts';
import type { Node } from '../store/records.ts';
import { openPanel, openSheet } from '../store/workbench.ts';
import type { MenuItem } from '../ui/menu.tsx';
import { t, toldTitle } from '../words/words.ts';
import type { MenuScope } from '../map/actions/menus.ts';

/** What can be asked, and wanted, of the way from one node to another. */
export const reachItems = (scope: MenuScope, nodes: readonly Node[]): MenuItem[] => {
  const { ask, isReadOnly, workbench } = scope;
  const [from, to] = nodes;
  if (from === undefined || nodes.length > 2) return [];
  if (to === undefined)
    return [
      {
        text: t('Why can it not reach …'),
        icon: 'why',
        startsGroup: true,
        onChoose: () => ask({ what: 'why', node: from }),
      },
    ];
  const names = { from: from.name, to: to.name };
  return [
    {
      text: t('Why does {from} not reach {to}?', names),
      icon: 'why',
      startsGroup: true,
      onChoose: () => workbench.update(openSheet({ kind: 'why', from: from.node_id, to: to.node_id })),
    },
    {
      text: t('Check that {from} reaches {to}', names),
      icon: 'checks',
      isDisabled: isReadOnly,
      onChoose: () => void checkReach(scope, from, to),
    },
  ];
};

const checkReach = async ({ lab, workbench }: MenuScope, from: Node, to: Node): Promise<void> => {
  const made = await attempt(async () => {
    const { title } = await saveCheck(lab, null, { reach: { from: from.node_id, to: to.node_id } });
    notify('success', t('It is checked from now on: {title}', { title: toldTitle(title) }));
  });
  if (made) workbench.update(openPanel({ kind: 'checks' }));
};
