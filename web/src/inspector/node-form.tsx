import { type ReactElement, useState } from 'react';
import { useScope, useView } from '../app/lab-context.tsx';
import { TemplateSlot } from '../catalogue/template-slot.tsx';
import type { TemplateSubject } from '../catalogue/template-draft.ts';
import { failureOf } from '../map/actions/failure.ts';
import { MendOffer } from '../map/actions/mend-offer.tsx';
import { unreachableOf } from '../computes/computes.ts';
import type { Node } from '../store/records.ts';
import { openPanel, openSheet } from '../store/workbench.ts';
import { Button } from '../ui/button.tsx';
import { sayKind } from '../words/titles.ts';
import { t } from '../words/words.ts';
import type { Forms } from './edit/forms.ts';
import { FormContext } from './form/form-scope.ts';
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
  const { lab } = useScope();
  const types = [...new Set(nodes.map(({ node_type: type }) => type))];
  const own = sharedSpecs(types.map(forms.node));
  const ofKind = sharedSpecs(types.map(forms.properties));
  const isOne = nodes.length === 1;
  return (
    <>
      {isOne && nodes[0] !== undefined && <NodeState node={nodes[0]} />}
      <FormContext
        value={{ client: lab.client, images: { computeId: nodes[0]?.compute_id ?? '', nodeType: types[0] ?? '' } }}
      >
        <FormView
          own={withoutUnique(own, isOne)}
          ofKind={withoutUnique(ofKind, isOne)}
          targets={nodes.map(({ node_id: id }) => ({ collection: 'node', id }))}
        />
      </FormContext>
    </>
  );
};

const STATES = { started: 'started', stopped: 'stopped', suspended: 'suspended' } as const;

/** How a node is, and what leads on from it. */
const NodeState = ({ node }: { node: Node }): ReactElement => {
  const { lab, workbench } = useScope();
  const { isReadOnly } = useView();
  const [asked, setAsked] = useState<TemplateSubject | null>(null);
  const { node_id: id } = node;
  const failure = failureOf(node);
  const away = unreachableOf(node);
  return (
    <div className="inspector-state">
      <p className="row">
        <span className={`state-dot ${node.status}`} aria-hidden="true" />
        {t(STATES[node.status])}
        <span className="note">{sayKind(node.node_type)}</span>
      </p>
      {failure !== null && <p className="problem wrap">{failure}</p>}
      {!isReadOnly && <MendOffer client={lab.client} node={node} />}
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
        <Button icon="catalogue" onClick={() => setAsked({ what: 'node', node })}>
          {t('Make a template')}
        </Button>
      </div>
      {asked !== null && (
        <TemplateSlot client={lab.client} subject={asked} onDone={() => undefined} onClose={() => setAsked(null)} />
      )}
    </div>
  );
};
