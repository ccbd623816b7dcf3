import { type ReactElement, useCallback, useState } from 'react';
import type { Client, Schemas } from 'topolog/client';
import { type Forms, useForms } from '../inspector/edit/forms.ts';
import { uploadImage } from '../inspector/edit/images.ts';
import { sayBytes } from '../store/jobs.ts';
import { attempt, notify } from '../store/notices.ts';
import { useRead } from '../store/use-read.ts';
import { FileButton, IconButton } from '../ui/button.tsx';
import { confirm } from '../ui/confirm.tsx';
import { SelectField } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { sayKind } from '../words/titles.ts';
import { t } from '../words/words.ts';
import { SectionFrame } from './section-frame.tsx';
import { Uses } from './uses.tsx';

type Image = Schemas['CatalogueImage'];

/** Images of this server: what there is of each kind, and who needs it. */
export const ImagesSection = ({ client }: { client: Client }): ReactElement => {
  const read = useCallback((signal: AbortSignal) => client.get('/v2/catalogue/images', { signal }), [client]);
  const { value: images, problem, again } = useRead(read);
  const { forms } = useForms(client);
  const kinds = storedKinds(forms);
  const [asked, setAsked] = useState<string | null>(null);
  const kind = asked ?? kinds[0] ?? null;
  const send = (files: readonly File[]): void => {
    if (kind !== null) void sendAll(client, kind, files).finally(again);
  };
  return (
    <SectionFrame
      title={t('Images')}
      problem={problem}
      hint={kind === null ? null : t('Drop images for {kind} here', { kind: sayKind(kind) })}
      onFiles={send}
      actions={
        kind !== null && (
          <>
            <SelectField
              label={t('Upload for')}
              value={kind}
              options={kinds.map((value) => ({ value, text: sayKind(value) }))}
              onChange={setAsked}
            />
            <FileButton text={t('Upload images')} kind="primary" isMultiple onFiles={send} />
          </>
        )
      }
    >
      {images === null && problem === null && <p className="note">{t('Loading …')}</p>}
      {images?.length === 0 && (
        <p className="empty">{t('No images yet. Upload one, or drop it here: nodes of its kind boot from it.')}</p>
      )}
      {images !== null && images.length > 0 && <ImageTable client={client} images={images} onChange={again} />}
    </SectionFrame>
  );
};

const storedKinds = (forms: Forms | null): string[] =>
  (forms?.kinds ?? []).filter(({ images }) => images).map(({ name }) => name);

const sumOf = async (client: Client, kind: string, name: string): Promise<string | null> => {
  const list = await client.get('/v2/catalogue/images');
  return list.find((one) => one.node_type === kind && one.path === name)?.md5sum ?? null;
};

/** One after the other, as each may be large. */
const sendAll = async (client: Client, nodeType: string, files: readonly File[]): Promise<void> => {
  for (const file of files)
    await attempt(async () => {
      await uploadImage(client, { computeId: 'local', nodeType }, file);
      const sum = await sumOf(client, nodeType, file.name);
      notify('success', t('{name} is uploaded. MD5: {sum}', { name: file.name, sum: sum ?? '?' }));
    });
};

interface TableProps {
  readonly client: Client;
  readonly images: readonly Image[];
  readonly onChange: () => void;
}

const ImageTable = ({ client, images, onChange }: TableProps): ReactElement => (
  <div className="catalogue-scroll" tabIndex={0} role="region" aria-label={t('Images')}>
    <table className="catalogue-table">
      <thead>
        <tr>
          <th scope="col">{t('Name')}</th>
          <th scope="col">{t('For')}</th>
          <th scope="col">{t('Size')}</th>
          <th scope="col">MD5</th>
          <th scope="col">{t('Used by')}</th>
          <th scope="col">
            <span className="visually-hidden">{t('Actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {images.map((image) => (
          <ImageRow key={`${image.node_type} ${image.path}`} {...{ client, image, onChange }} />
        ))}
      </tbody>
    </table>
  </div>
);

const ImageRow = ({ client, image, onChange }: Omit<TableProps, 'images'> & { image: Image }): ReactElement => {
  const { path, node_type: kind, filesize, md5sum } = image;
  return (
    <tr>
      <th scope="row" className="wrap">
        {path}
      </th>
      <td>{sayKind(kind)}</td>
      <td className="number">{sayBytes(filesize)}</td>
      <td>
        <code>{md5sum}</code>
      </td>
      <td>
        <Uses {...image} />
      </td>
      <td className="row-end">
        <a
          className="icon-button"
          href={`${client.url}/v2/compute/${encodeURIComponent(kind)}/images/${encodeURIComponent(path)}`}
          download={image.filename}
          aria-label={t('Download {name}', { name: path })}
          title={t('Download {name}', { name: path })}
        >
          <Icon name="download" />
        </a>
        <IconButton
          icon="delete"
          label={t('Delete the image {name}', { name: path })}
          onClick={() => void remove(client, image).then((worked) => worked && onChange())}
        />
      </td>
    </tr>
  );
};

const remove = async (client: Client, { path, node_type }: Image): Promise<boolean> => {
  const isSure = await confirm({
    title: t('Delete {name}?', { name: path }),
    text: t('The file is gone then. The server keeps images that a node or a template needs.'),
    action: t('Delete it'),
  });
  if (!isSure) return false;
  return attempt(() =>
    client.delete('/v2/catalogue/images/{emulator}/{filename}', { path: { emulator: node_type, filename: path } }),
  );
};
