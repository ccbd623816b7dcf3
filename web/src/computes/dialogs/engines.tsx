import { type ReactElement, useEffect, useState } from 'react';
import type { Client } from '../../store/api.ts';
import { sentenceOf } from '../../store/notices.ts';
import { Button } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy.ts';
import { readEngines } from '../calls.ts';
import { byKind, type EnginesByKind } from '../engines-by-kind.ts';
import type { Compute, Engine } from '../records.ts';
import { t, told } from '../../words/words.ts';

interface Props {
  readonly client: Client;
  readonly compute: Compute;
  readonly name: string;
}

/** Which engines a compute has, and what is missing there; read when it is opened. */
export const Engines = ({ client, compute, name }: Props): ReactElement => {
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

const EngineList = ({ client, compute }: Pick<Props, 'client' | 'compute'>): ReactElement => {
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
    // What is there is asked again when it is back.
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
