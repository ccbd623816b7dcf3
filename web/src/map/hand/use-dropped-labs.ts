import { useEffect } from 'react';
import { labTextOf } from '../../lab-text/lab-text.ts';
import { offerAsText } from '../../lab-text/offer.ts';
import { filesOf, uploadsOf } from '../../projects/dropped.ts';
import { openUpload } from '../../projects/open-upload.ts';
import type { Lab } from '../../store/lab.ts';
import { attempt, notify } from '../../store/notices.ts';
import type { Entry } from '../../store/zip.ts';
import { t } from '../../words/words.ts';

/** Pictures become drawings. */
const isLab = ({ kind, type }: DataTransferItem): boolean => kind === 'file' && !type.startsWith('image/');
const isOnMap = ({ target }: Event): boolean => target instanceof Element && target.closest('.map') !== null;

/** Labs that are dropped on an empty map are opened, each a project of its own; a text is what this lab becomes, once that was agreed to. */
export const useDroppedLabs = ({ projectId }: Lab, isEmpty: boolean): void => {
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
      void openAll(filesOf(data), projectId, isEmpty);
    };
    addEventListener('dragover', over);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('drop', drop);
    };
  }, [projectId, isEmpty]);
};

const openAll = (reading: Promise<Entry[]>, projectId: string, isEmpty: boolean): Promise<boolean> =>
  attempt(async () => {
    const given = await reading;
    const uploads = await uploadsOf(given);
    if (uploads.length === 0) offerAsText(await labTextOf(given), projectId);
    else if (!isEmpty) notify('info', t('It becomes a lab of its own: drop it on the list of projects.'));
    else for (const upload of uploads) await openUpload(upload);
  });
