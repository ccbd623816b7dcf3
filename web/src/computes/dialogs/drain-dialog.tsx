import { type ReactElement, useState } from 'react';
import type { Client } from '../../store/api.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { drainCompute } from '../calls.ts';
import { type PlacedNode, sayRunning } from '../counts.ts';
import type { ComputesState } from '../follow.ts';
import { MoveForm } from './move-form.tsx';
import { MovedList } from './moved-list.tsx';
import { type Compute, type Moved, nameOfCompute } from '../records.ts';
import { t } from '../../words/words.ts';

interface Props {
  readonly client: Client;
  readonly state: ComputesState;
  readonly compute: Compute;
  readonly nodes: readonly PlacedNode[];
  readonly onClose: () => void;
}

/** Moves every node of a compute elsewhere, and tells what became of each. */
export const DrainDialog = ({ client, state, compute, nodes, onClose }: Props): ReactElement => {
  const [result, setResult] = useState<Moved | null>(null);
  const id = compute.compute_id;
  return (
    <Dialog title={t('Empty {name}', { name: nameOfCompute(compute) })} onClose={onClose} wide={result !== null}>
      {result !== null ? (
        <MovedList result={result} names={state.names} onClose={onClose} />
      ) : (
        <>
          <p>
            {sayRunning(nodes, compute.connected)} {t('Those of closed projects stay.')}
          </p>
          <MoveForm
            computes={state.computes}
            without={id}
            count={nodes.length}
            running={nodes.filter(({ isRunning }) => isRunning).length}
            submit={t('Empty it')}
            move={(wish) => drainCompute(client, id, wish)}
            onMoved={setResult}
            onClose={onClose}
          />
        </>
      )}
    </Dialog>
  );
};
