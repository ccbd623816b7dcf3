import { saveCheck } from './checks.ts';
import { attempt, notify } from '../store/notices.ts';
import type { Node } from '../store/records.ts';
import { openPanel } from '../store/workbench.ts';
import type { MenuItem } from '../ui/menu.tsx';
import { t } from '../words/words.ts';
import type { MenuScope } from '../map/actions/menus.ts';

/** What can be wanted of the way from one node to another. */
export const reachItems = (scope: MenuScope, nodes: readonly Node[]): MenuItem[] => {
  const [from, to] = nodes;
  if (from === undefined || to === undefined || nodes.length > 2) return [];
  return [
    {
      text: t('Check that {from} reaches {to}', { from: from.name, to: to.name }),
      icon: 'checks',
      startsGroup: true,
      isDisabled: scope.isReadOnly,
      onChoose: () => void checkReach(scope, from, to),
    },
  ];
};

const checkReach = async ({ lab, workbench }: MenuScope, from: Node, to: Node): Promise<void> => {
  const made = await attempt(async () => {
    const { title } = await saveCheck(lab, null, { reach: { from: from.node_id, to: to.node_id } });
    notify('success', t('It is checked from now on: {title}', { title }));
  });
  if (made) workbench.update(openPanel({ kind: 'checks' }));
};
