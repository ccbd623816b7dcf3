import { lazy, type ReactElement, Suspense } from 'react';
import { useView } from '../app/lab-context.tsx';
import { Button } from '../ui/button.tsx';
import { t } from '../words/words.ts';
import type { MapScope } from './flow/use-map-scope.ts';
import { useDroppedLabs } from './hand/use-dropped-labs.ts';

/** With the files of the samples. */
const Samples = lazy(async () => ({ default: (await import('../projects/samples.tsx')).SampleList }));

/** A map without anything says what can be done. */
export const MapEmpty = ({ scope }: { scope: Pick<MapScope, 'openPalette' | 'ask'> }): ReactElement => {
  const { isReadOnly } = useView();
  useDroppedLabs();
  if (isReadOnly) return <p className="map-empty">{t('Nothing is here.')}</p>;
  return (
    <section className="map-empty" aria-label={t('First steps')}>
      <h2>{t('Nothing is here yet')}</h2>
      <ol>
        <li>{t('Drag a template onto the map, or press it.')}</li>
        <li>{t('Drag from the edge of one node to another one: that is a link.')}</li>
        <li>{t('Select the nodes, press I, and they get addresses.')}</li>
        <li>{t('Start them, and open a console by a double click.')}</li>
      </ol>
      <div className="row">
        <Button kind="primary" icon="add" onClick={scope.openPalette}>
          {t('Add a node')}
        </Button>
        <Button onClick={() => scope.ask({ what: 'help' })}>{t('Keys on the map')}</Button>
      </div>
      <details className="map-samples">
        <summary>{t('Or open a sample lab, or drop a project file here')}</summary>
        <Suspense fallback={null}>
          <Samples />
        </Suspense>
      </details>
    </section>
  );
};
