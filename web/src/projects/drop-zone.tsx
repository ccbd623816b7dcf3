import { type DragEvent, type ReactElement, type ReactNode, useState } from 'react';
import { attempt, notify } from '../store/notices.ts';
import type { Entry } from '../store/zip.ts';
import { FileButton } from '../ui/button.tsx';
import { chosenFiles, filesOf, uploadsOf } from './uploads.ts';
import { t } from '../words/words.ts';
import { uploadLab } from './transfer.ts';

const sendAll = (entries: Promise<Entry[]>): Promise<boolean> =>
  attempt(async () => {
    const uploads = await uploadsOf(await entries);
    if (uploads.length === 0)
      notify('warning', t('This is no lab. Drop a project file (.gns3), its folder, or an archive (.gns3project).'));
    for (const one of uploads) {
      await uploadLab(one);
      notify('success', t('{name} is uploaded. Open it to use it.', { name: one.title }));
    }
  });

const sendChosen = (files: readonly File[]): void => void sendAll(Promise.resolve(chosenFiles(files)));

/** Takes labs that are dropped anywhere on it. */
export const DropZone = ({ children }: { children: ReactNode }): ReactElement => {
  const [isOver, setOver] = useState(false);
  const over = (event: DragEvent): void => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    setOver(true);
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    void sendAll(filesOf(event.dataTransfer));
  };
  return (
    <div className="drop-zone" onDragEnter={over} onDragOver={over} onDragLeave={() => setOver(false)} onDrop={drop}>
      {children}
      {isOver && <div className="drop-hint">{t('Drop a project file, its folder, or an archive')}</div>}
    </div>
  );
};

/** The same without a mouse. */
export const UploadButtons = (): ReactElement => (
  <>
    <FileButton text={t('Upload file')} accept=".gns3,.gns3project,.gns3p,.zip" isMultiple onFiles={sendChosen} />
    <FileButton text={t('Upload folder')} isFolder onFiles={sendChosen} />
  </>
);
