import { lazy, type ReactElement, Suspense, useEffect } from 'react';
import { useView } from '../app/lab-context.tsx';
import { openUpload } from '../projects/transfer.ts';
import { filesOf, type Upload, uploadsOf } from '../projects/uploads.ts';
import { attempt, notify } from '../store/notices.ts';
import { Button } from '../ui/button.tsx';
import { t } from '../words/words.ts';
import type { MapScope } from './map-scope.ts';

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

/** Pictures become drawings. */
const isLab = ({ kind, type }: DataTransferItem): boolean => kind === 'file' && !type.startsWith('image/');
const isOnMap = ({ target }: Event): boolean => target instanceof Element && target.closest('.map') !== null;

/** Labs that are dropped on an empty map are opened, each a project of its own. */
const useDroppedLabs = (): void => {
  useEffect(() => {
    const wanted = (event: DragEvent): DataTransfer | null => {
      const data = event.dataTransfer;
      return data !== null && isOnMap(event) && [...data.items].some(isLab) ? data : null;
    };
    const over = (event: DragEvent): void => {
      if (wanted(event) !== null) event.preventDefault();
    };
    const drop = (event: DragEvent): void => {
      const data = wanted(event);
      if (data === null) return;
      event.preventDefault();
      void openAll(filesOf(data).then(uploadsOf));
    };
    addEventListener('dragover', over);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('drop', drop);
    };
  }, []);
};

const openAll = (reading: Promise<Upload[]>): Promise<boolean> =>
  attempt(async () => {
    const uploads = await reading;
    if (uploads.length === 0)
      notify('warning', t('This is no lab. Drop a project file (.gns3), its folder, or an archive (.gns3project).'));
    for (const upload of uploads) await openUpload(upload);
  });
