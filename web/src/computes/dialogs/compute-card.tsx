import { type ReactElement, useEffect, useId, useState } from 'react';
import type { Client } from 'topolog/client';
import { sentenceOf } from '../../store/notices.ts';
import { Button } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy.ts';
import { Icon } from '../../ui/icon.tsx';
import { t, told } from '../../words/words.ts';
import {
  byKind,
  type Compute,
  connectCompute,
  type Engine,
  type EnginesByKind,
  isHere,
  nameOfCompute,
  readEngines,
} from '../computes.ts';
import { type PlacedNode, sayRunning } from '../counts.ts';

/** Tasks with a compute that have a dialog of their own. */
export type ComputeWork = 'change' | 'drain' | 'remove';

interface Props {
  readonly client: Client;
  readonly compute: Compute;
  /** Null: not read yet. */
  readonly nodes: readonly PlacedNode[] | null;
  /** There is another one. */
  readonly hasOthers: boolean;
  readonly onWork: (work: ComputeWork) => void;
}

/** A compute: how it is, what is there, and what can be done with it. */
export const ComputeCard = (props: Props): ReactElement => {
  const { client, compute, nodes } = props;
  const { protocol, host, port, user, last_error: reason, connected, capabilities } = compute;
  const name = nameOfCompute(compute);
  const titleId = useId();
  const said = [
    `${protocol}://${host.includes(':') ? `[${host}]` : host}:${port}`,
    ...(user === null ? [] : [t('as {user}', { user })]),
    ...(capabilities.version === null ? [] : [t('version {version}', { version: capabilities.version })]),
    ...(capabilities.platform === null ? [] : [capabilities.platform]),
  ];
  return (
    <li className="compute-card" aria-labelledby={titleId} data-compute={compute.compute_id}>
      <div className="row">
        <h3 id={titleId} className="wrap">
          {name}
        </h3>
        <span className={`status ${connected ? 'on' : 'off'}`}>
          <Icon name={connected ? 'check' : 'warning'} />
          {connected ? t('connected') : t('away')}
        </span>
        <span className="note wrap">{said.join(' · ')}</span>
      </div>
      {!connected && <p className="problem wrap">{reason === null ? t('It was not reached yet.') : told(reason)}</p>}
      {connected && (
        <div className="row compute-load">
          <LoadBar label={t('Processor')} name={name} percent={compute.cpu_usage_percent} />
          <LoadBar label={t('Memory')} name={name} percent={compute.memory_usage_percent} />
        </div>
      )}
      <p>{nodes === null ? t('Counting its nodes …') : sayRunning(nodes, connected)}</p>
      <Engines client={client} compute={compute} name={name} />
      <CardActions {...props} name={name} />
    </li>
  );
};

const LoadBar = (props: { label: string; name: string; percent: number | null }): ReactElement => {
  const { label, name, percent } = props;
  return (
    <span className="load-bar">
      <span>{label}</span>
      <progress max={100} value={percent ?? 0} aria-label={t('{label} of {name}', { label, name })} />
      <span className="load-number">{percent === null ? t('not known') : `${Math.round(percent)} %`}</span>
    </span>
  );
};

const CardActions = ({ client, compute, nodes, hasOthers, onWork, name }: Props & { name: string }): ReactElement => {
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const connect = (): void => {
    setBusy(true);
    setProblem(null);
    connectCompute(client, compute.compute_id)
      .catch((error: unknown) => setProblem(sentenceOf(error)))
      .finally(() => setBusy(false));
  };
  const of = <span className="visually-hidden"> {name}</span>;
  const isOther = !isHere(compute.compute_id);
  return (
    <>
      {problem !== null && !compute.connected && (
        <p role="alert" className="problem wrap">
          {problem}
        </p>
      )}
      <div className="row">
        {isOther && !compute.connected && (
          <Button icon="reload" disabled={isBusy} onClick={connect}>
            {isBusy ? t('Connecting …') : t('Connect again')}
            {of}
          </Button>
        )}
        {hasOthers && (
          <Button disabled={!compute.connected || nodes === null || nodes.length === 0} onClick={() => onWork('drain')}>
            {t('Empty')}
            {of} …
          </Button>
        )}
        {isOther && (
          <>
            <Button icon="edit" onClick={() => onWork('change')}>
              {t('Change')}
              {of}
            </Button>
            <Button icon="delete" onClick={() => onWork('remove')}>
              {t('Remove')}
              {of}
            </Button>
          </>
        )}
      </div>
    </>
  );
};

interface EnginesProps {
  readonly client: Client;
  readonly compute: Compute;
  readonly name: string;
}

/** Which engines a compute has, and what is missing there; read when it is opened. */
const Engines = ({ client, compute, name }: EnginesProps): ReactElement => {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {t('Engines')}
        <span className="visually-hidden"> {name}</span>
      </summary>
      {isOpen && <EngineList client={client} compute={compute} />}
    </details>
  );
};

const EngineList = ({ client, compute }: Pick<EnginesProps, 'client' | 'compute'>): ReactElement => {
  const { compute_id: id, connected } = compute;
  const [engines, setEngines] = useState<readonly Engine[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const ending = new AbortController();
    readEngines(client, id, ending.signal).then(
      (read) => {
        setEngines(read);
        setProblem(null);
      },
      (error: unknown) => {
        if (!ending.signal.aborted) setProblem(sentenceOf(error));
      },
    );
    return () => ending.abort();
    // Asked again when the compute is connected again.
  }, [client, id, connected]);
  if (problem !== null) return <p className="problem wrap">{problem}</p>;
  if (engines === null) return <p className="note">{t('Reading …')}</p>;
  if (engines.length === 0)
    return (
      <p className="wrap">{t('It does not say which engines it has. Kinds: {kinds}.', { kinds: sayKinds(compute) })}</p>
    );
  return <ReadyAndMissing engines={byKind(engines)} />;
};

const sayKinds = ({ capabilities: { node_types } }: Compute): string =>
  node_types.length === 0 ? t('not known') : node_types.join(', ');

const ReadyAndMissing = ({ engines: { ready, missing } }: { engines: EnginesByKind }): ReactElement => (
  <>
    {missing.length > 0 && (
      <ul className="engine-list" aria-label={t('Missing')}>
        {missing.map(({ kind, needs, install }) => (
          <li key={kind} className="wrap">
            <strong>{kind}</strong> <span className="warning-text">{t('needs {needs}', { needs: told(needs) })}</span>
            <span className="row">
              <code>{told(install)}</code>
              <Button icon="copy" onClick={() => void copyText(told(install), t('Command'))}>
                {t('Copy')}
                <span className="visually-hidden"> {t('what installs it for {kind}', { kind })}</span>
              </Button>
            </span>
          </li>
        ))}
      </ul>
    )}
    <ul className="engine-list" aria-label={t('There')}>
      {ready.map(({ kind, engines }) => (
        <li key={kind} className="wrap">
          <strong>{kind}</strong>{' '}
          {engines.map(({ engine, version }) => (version === null ? engine : `${engine} ${version}`)).join(', ')}
        </li>
      ))}
    </ul>
  </>
);
