import { type DragEvent, type ReactElement, type ReactNode, useRef, useState } from 'react';
import { attempt, notify } from '../store/notices.ts';
import type { Entry } from '../store/zip.ts';
import { Button } from '../ui/button.tsx';
import { chosenFiles, filesOf, uploadsOf } from './dropped.ts';
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
    <FileButton text={t('Upload file')} accept=".gns3,.gns3project,.gns3p,.zip" isFolder={false} />
    <FileButton text={t('Upload folder')} accept={undefined} isFolder />
  </>
);

interface FileButtonProps {
  readonly text: string;
  readonly accept: string | undefined;
  readonly isFolder: boolean;
}

const FileButton = ({ text, accept, isFolder }: FileButtonProps): ReactElement => {
  const ref = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button icon="upload" onClick={() => ref.current?.click()}>
        {text}
      </Button>
      <input
        ref={ref}
        type="file"
        hidden
        multiple={!isFolder}
        {...(isFolder ? { webkitdirectory: '' } : {})}
        {...(accept === undefined ? {} : { accept })}
        aria-label={text}
        onChange={({ currentTarget }) => {
          if (currentTarget.files !== null) void sendAll(Promise.resolve(chosenFiles(currentTarget.files)));
          currentTarget.value = '';
        }}
      />
    </>
  );
};
