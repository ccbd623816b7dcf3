import { type ReactElement, useState } from 'react';
import { useScope, useView } from '../../app/lab-context.tsx';
import { nameOfCompute } from '../../computes/computes.ts';
import { ComputesSlot, MoveSlot } from '../../computes/slots.tsx';
import { useComputes } from '../../computes/follow.ts';
import { placesOf } from '../../computes/where-field.tsx';
import { useStore } from '../../store/use-store.ts';
import { Button } from '../../ui/button.tsx';
import { t } from '../../words/words.ts';
import type { ControlProps } from './controls.tsx';
import { useFormScope } from './form-scope.ts';

/** On which compute: of nodes by a move, which takes their files along; of a project at once. */
export const WhereControl = (props: ControlProps): ReactElement =>
  props.targets[0]?.collection === 'node' ? <MoveControl {...props} /> : <PlaceControl {...props} />;

const PlaceControl = ({ id, describedBy, editing }: ControlProps): ReactElement => {
  const { client } = useFormScope();
  const { computes } = useStore(useComputes(client));
  const value = typeof editing.draft === 'string' ? editing.draft : '';
  return (
    <select
      id={id}
      value={value}
      aria-describedby={describedBy}
      disabled={editing.isReadOnly}
      onChange={({ target }) => editing.commit(target.value)}
    >
      {placesOf(computes, { value }).map((option) => (
        <option key={option.value} value={option.value} disabled={option.isDisabled}>
          {option.text}
        </option>
      ))}
    </select>
  );
};

const MoveControl = ({ id, describedBy, editing, targets }: ControlProps): ReactElement => {
  const { lab } = useScope();
  const { records } = useView();
  const [asked, ask] = useState<'move' | 'computes' | null>(null);
  const { computes } = useStore(useComputes(lab.client));
  const value = typeof editing.draft === 'string' ? editing.draft : null;
  const compute = computes.find(({ compute_id: of }) => of === value);
  const nodes = targets.flatMap((target) => records.nodes.get(target.id) ?? []);
  return (
    <>
      <Button
        id={id}
        className="where-now"
        aria-describedby={describedBy}
        disabled={editing.isReadOnly}
        onClick={() => ask('move')}
      >
        {value === null ? t('mixed') : compute === undefined ? value : nameOfCompute(compute)}
      </Button>
      {asked === 'move' && (
        <MoveSlot lab={lab} nodes={nodes} onComputes={() => ask('computes')} onClose={() => ask(null)} />
      )}
      {asked === 'computes' && <ComputesSlot client={lab.client} onClose={() => ask(null)} />}
    </>
  );
};
