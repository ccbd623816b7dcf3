import type { ReactElement } from 'react';
import { useScope } from '../app/lab-context.tsx';
import { failureOf } from '../map/actions/failure.ts';
import { unreachableOf } from '../computes/records.ts';
import type { Node } from '../store/records.ts';
import { openPanel, openSheet } from '../store/workbench.ts';
import { Button } from '../ui/button.tsx';
import { t } from '../words/words.ts';
import type { Forms } from './edit/document.ts';
import { FormView } from './form/form-view.tsx';
import { sharedSpecs, type Spec } from './form/spec.ts';

interface Props {
  readonly nodes: readonly Node[];
  readonly forms: Forms;
}

const withoutUnique = (specs: readonly Spec[], isOne: boolean): readonly Spec[] =>
  isOne ? specs : specs.filter(({ isUnique, file }) => !isUnique && file === null);

/** Settings of nodes: of several, those that they share. */
export const NodeForm = ({ nodes, forms }: Props): ReactElement => {
  const types = [...new Set(nodes.map(({ node_type: type }) => type))];
  const own = sharedSpecs(types.map(forms.node));
  const ofKind = sharedSpecs(types.map(forms.properties));
  const isOne = nodes.length === 1;
  return (
    <>
      {isOne && nodes[0] !== undefined && <NodeState node={nodes[0]} />}
      <FormView
        own={withoutUnique(own, isOne)}
        ofKind={withoutUnique(ofKind, isOne)}
        targets={nodes.map(({ node_id: id }) => ({ collection: 'node', id }))}
      />
    </>
  );
};

const STATES = { started: 'started', stopped: 'stopped', suspended: 'suspended' } as const;

/** How a node is, and what leads on from it. */
const NodeState = ({ node }: { node: Node }): ReactElement => {
  const { workbench } = useScope();
  const { node_id: id } = node;
  const failure = failureOf(node);
  const away = unreachableOf(node);
  return (
    <div className="inspector-state">
      <p className="row">
        <span className={`state-dot ${node.status}`} aria-hidden="true" />
        {t(STATES[node.status])}
        <span className="note">{node.node_type.replaceAll('_', ' ')}</span>
      </p>
      {failure !== null && <p className="problem wrap">{failure}</p>}
      {away !== null && <p className="problem wrap">{t('Unreachable: {reason}', { reason: away })}</p>}
      <div className="row">
        {node.console_type !== 'none' && (
          <Button icon="console" onClick={() => workbench.update(openPanel({ kind: 'console', nodeId: id }))}>
            {t('Console')}
          </Button>
        )}
        <Button icon="history" onClick={() => workbench.update(openSheet({ kind: 'history', collection: 'node', id }))}>
          {t('History')}
        </Button>
      </div>
    </div>
  );
};
