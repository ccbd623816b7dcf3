import { useEffect } from 'react';
import { filesOf, type Upload, uploadsOf } from '../../projects/uploads.ts';
import { openUpload } from '../../projects/transfer.ts';
import { attempt, notify } from '../../store/notices.ts';
import { t } from '../../words/words.ts';

/** Pictures become drawings. */
const isLab = ({ kind, type }: DataTransferItem): boolean => kind === 'file' && !type.startsWith('image/');
const isOnMap = ({ target }: Event): boolean => target instanceof Element && target.closest('.map') !== null;

/** Labs that are dropped on an empty map are opened, each a project of its own. */
export const useDroppedLabs = (): void => {
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
