import { type ReactElement, useCallback, useEffect, useState } from 'react';
import type { Client } from 'topolog/client';
import { sentenceOf } from '../../store/notices.ts';
import { useStore } from '../../store/use-store.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { t } from '../../words/words.ts';
import { type Compute, drainCompute, type Moved, nameOfCompute, removeCompute } from '../computes.ts';
import { type NodesByCompute, type PlacedNode, readPlaced, sayRemoval, sayRunning } from '../counts.ts';
import { type ComputesState, useComputes } from '../follow.ts';
import { ComputeCard, type ComputeWork } from './compute-card.tsx';
import { ComputeForm } from './compute-form.tsx';
import './computes.css';
import { MovedList, MoveForm } from './move-form.tsx';

type Asked = { readonly work: 'add' } | { readonly work: 'change' | 'drain'; readonly compute: Compute };

/** The machines that run nodes: how they are, and what can be done with them. */
const ComputesDialog = ({ client, onClose }: { client: Client; onClose: () => void }): ReactElement => {
  const state = useStore(useComputes(client));
  const { computes, isLoaded, problem: unread } = state;
  const { nodes, problem: uncounted, countAgain } = useNodes(client, connectionsOf(computes));
  const [asked, ask] = useState<Asked | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const closeAsked = useCallback(() => {
    ask(null);
    countAgain();
  }, [countAgain]);
  const work = (compute: Compute, wanted: ComputeWork): void => {
    setFailure(null);
    if (wanted !== 'remove') ask({ work: wanted, compute });
    else
      removeAsked(client, compute, nodes?.get(compute.compute_id) ?? [])
        .catch((error: unknown) => setFailure(sentenceOf(error)))
        .finally(countAgain);
  };
  const problems = [failure, unread === null ? null : sentenceOf(unread), uncounted].filter((one) => one !== null);
  return (
    <>
      <Dialog title={t('Computes')} onClose={onClose} wide>
        <div className="stack">
          <div className="row">
            <p className="note compute-what">{t('A compute is a machine that runs nodes.')}</p>
            <Button icon="add" kind="primary" data-first onClick={() => ask({ work: 'add' })}>
              {t('Add a compute')}
            </Button>
          </div>
          {problems.map((problem) => (
            <p key={problem} role="alert" className="problem wrap">
              {problem}
            </p>
          ))}
          {!isLoaded && unread === null && <p className="note">{t('Reading the computes …')}</p>}
          <ul className="compute-list">
            {computes.map((compute) => (
              <ComputeCard
                key={compute.compute_id}
                client={client}
                compute={compute}
                nodes={nodes === null ? null : (nodes.get(compute.compute_id) ?? [])}
                hasOthers={computes.length > 1}
                onWork={(wanted) => work(compute, wanted)}
              />
            ))}
          </ul>
        </div>
      </Dialog>
      {asked !== null && <AskedDialog client={client} state={state} nodes={nodes} asked={asked} onClose={closeAsked} />}
    </>
  );
};
export default ComputesDialog;

interface AskedProps {
  readonly client: Client;
  readonly state: ComputesState;
  readonly nodes: NodesByCompute | null;
  readonly asked: Asked;
  readonly onClose: () => void;
}

const AskedDialog = ({ client, state, nodes, asked, onClose }: AskedProps): ReactElement =>
  asked.work === 'drain' ? (
    <DrainDialog
      client={client}
      state={state}
      compute={asked.compute}
      nodes={nodes?.get(asked.compute.compute_id) ?? []}
      onClose={onClose}
    />
  ) : (
    <ComputeForm client={client} compute={asked.work === 'add' ? null : asked.compute} onClose={onClose} />
  );

/** Says what the removal stops, and removes it if that is wanted. */
const removeAsked = async (client: Client, compute: Compute, nodes: readonly PlacedNode[]): Promise<void> => {
  const isSure = await confirm({
    title: t('Remove {name}?', { name: nameOfCompute(compute) }),
    text: sayRemoval(nodes, compute.connected),
    action: t('Remove it'),
  });
  if (isSure) await removeCompute(client, compute.compute_id);
};

/** Changes with every compute that comes, goes, or is away or back. */
const connectionsOf = (computes: readonly Compute[]): string =>
  computes.map(({ compute_id, connected }) => `${compute_id} ${connected}`).join();

/** The nodes of all projects by their computes, counted again when `reason` changes and when it is asked for. */
const useNodes = (client: Client, reason: string) => {
  const [nodes, setNodes] = useState<NodesByCompute | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [count, setCount] = useState(0);
  useEffect(() => {
    const ending = new AbortController();
    readPlaced(client, ending.signal).then(
      (read) => {
        setNodes(read);
        setProblem(null);
      },
      (error: unknown) => {
        if (!ending.signal.aborted) setProblem(sentenceOf(error));
      },
    );
    return () => ending.abort();
  }, [client, reason, count]);
  return { nodes, problem, countAgain: useCallback(() => setCount((before) => before + 1), []) };
};

interface DrainDialogProps {
  readonly client: Client;
  readonly state: ComputesState;
  readonly compute: Compute;
  readonly nodes: readonly PlacedNode[];
  readonly onClose: () => void;
}

/** Moves every node of a compute elsewhere, and tells what became of each. */
const DrainDialog = ({ client, state, compute, nodes, onClose }: DrainDialogProps): ReactElement => {
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
