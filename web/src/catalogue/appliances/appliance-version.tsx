import { type ReactElement, useState } from 'react';
import type { Client, Schemas } from '../../store/api.ts';
import { sayBytes } from '../../store/jobs.ts';
import { attempt, notify } from '../../store/notices.ts';
import { Button } from '../../ui/button.tsx';
import { FileButton } from '../../ui/file-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { t, told } from '../../words/words.ts';
import { WebLink } from './appliance-card.tsx';
import { sendImage } from './appliances-section.tsx';
import { type Appliance, missingOf, type NeededImage, type Version } from './dropped.ts';

interface Props {
  readonly client: Client;
  readonly appliance: Appliance;
  readonly version: Version;
  readonly isOpen: boolean;
}

/** A version: its images, those that are there and those that are not, and its template. */
export const ApplianceVersion = ({ client, appliance, version, isOpen }: Props): ReactElement => {
  const { name, images, problems, template } = version;
  const missing = missingOf(version).length;
  const title = name ?? appliance.name;
  return (
    <details className="appliance-version" open={isOpen}>
      <summary>
        <span className="wrap">{name === null ? t('Any version') : t('Version {name}', { name })}</span>
        <span className={missing === 0 ? 'ready' : 'note'}>
          {missing === 0
            ? t('Ready')
            : t('{count, plural, one {# image is missing} other {# images are missing}}', { count: missing })}
        </span>
      </summary>
      {images.length > 0 && (
        <ul className="needed-images">
          {images.map((image) => (
            <NeededRow key={image.slot} client={client} nodeType={version.node_type} image={image} />
          ))}
        </ul>
      )}
      {problems.map(({ field, message }) => (
        <p key={`${field} ${message}`} className="warned wrap">
          {field}: {told(message)}
        </p>
      ))}
      <MakeButton client={client} template={template} title={title} isReady={missing === 0} />
    </details>
  );
};

interface RowProps {
  readonly client: Client;
  readonly nodeType: string;
  readonly image: NeededImage;
}

const NeededRow = ({ client, nodeType, image }: RowProps): ReactElement => {
  const { filename, found, filesize, md5sum, other_md5sum: other, compression } = image;
  return (
    <li className={found === null ? 'missing' : 'found'}>
      <Icon name={found === null ? 'warning' : 'check'} />
      <div className="needed-image">
        <strong className="wrap">{filename}</strong>
        <span className="visually-hidden"> {found === null ? t('missing') : t('there')}</span>
        <p className="note wrap">
          {filesize !== null && <>{sayBytes(filesize)} </>}
          {md5sum !== null && (
            <>
              MD5 <code>{md5sum}</code>
            </>
          )}
        </p>
        {found !== null && found !== filename && <p className="note wrap">{t('It is there as {found}', { found })}</p>}
        {other !== null && (
          <p className="warned wrap">{t('The file of this name is another one, with MD5 {sum}', { sum: other })}</p>
        )}
        {found === null && compression !== null && (
          <p className="note">{t('It is packed ({how}): unpack it before you upload it.', { how: compression })}</p>
        )}
      </div>
      {found === null && (
        <div className="row">
          {image.download_url !== null && <WebLink href={image.download_url} text={t('Download page')} />}
          {image.direct_download_url !== null && (
            <WebLink href={image.direct_download_url} text={t('Direct download')} />
          )}
          <FileButton
            text={t('Upload')}
            about={filename}
            onFiles={([file]) => file !== undefined && void sendImage(client, { nodeType, name: filename }, file)}
          />
        </div>
      )}
    </li>
  );
};

interface MakeProps {
  readonly client: Client;
  readonly template: Version['template'];
  readonly title: string;
  readonly isReady: boolean;
}

const MakeButton = ({ client, template, title, isReady }: MakeProps): ReactElement => {
  const [isBusy, setBusy] = useState(false);
  const [made, setMade] = useState<string | null>(null);
  if (template === null) return <p className="problem">{t('No template can be made of it.')}</p>;
  const make = async (): Promise<void> => {
    setBusy(true);
    await attempt(async () => {
      const { name } = await client.post('/v2/templates', {
        body: { ...template, compute_id: 'local' } as Schemas['TemplateCreate'],
      });
      setMade(name);
      notify('success', t('{name} is a template now: every lab offers it.', { name }));
    });
    setBusy(false);
  };
  return (
    <div className="row">
      <Button kind={isReady ? 'primary' : 'plain'} icon="add" disabled={isBusy || !isReady} onClick={() => void make()}>
        {t('Make a template')}
        <span className="visually-hidden"> {title}</span>
      </Button>
      {!isReady && <span className="note">{t('Its images have to be there first.')}</span>}
      {made !== null && <span className="note wrap">{t('{name} is a template now.', { name: made })}</span>}
    </div>
  );
};
