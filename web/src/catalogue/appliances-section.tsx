import { type ReactElement, useEffect, useState } from 'react';
import type { Client, Schemas } from 'topolog/client';
import { uploadImage } from '../inspector/edit/images.ts';
import { sayBytes } from '../store/jobs.ts';
import { attempt, notify } from '../store/notices.ts';
import { useStore } from '../store/use-store.ts';
import { Button, FileButton, IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { sayKind } from '../words/titles.ts';
import { t, told } from '../words/words.ts';
import {
  addAppliance,
  type Appliance,
  type ApplianceFile,
  applianceFiles,
  forget,
  isAppliance,
  missingOf,
  type NeededImage,
  placeOf,
  readAgain,
  type Version,
} from './appliance-files.ts';
import { SectionFrame } from './section-frame.tsx';

/** Appliance files: what they need, and the templates that become of them. */
export const AppliancesSection = ({ client }: { client: Client }): ReactElement => {
  const all = useStore(applianceFiles);
  useEffect(() => void readAgain(client), [client]);
  const take = (files: readonly File[]): void => void takeAll(client, files);
  return (
    <SectionFrame
      title={t('Appliances')}
      problem={null}
      hint={t('Drop appliance files (.gns3a), and the images that they need')}
      onFiles={take}
      actions={
        <FileButton
          text={t('Open appliance files')}
          kind="primary"
          accept=".gns3a,.gns3appliance"
          isMultiple
          onFiles={take}
        />
      }
    >
      {all.length === 0 && (
        <p className="empty">
          {t(
            'Drop an appliance file (.gns3a) here. You see which images it needs and where they are to be had; once they are there, it becomes a template.',
          )}
        </p>
      )}
      {all.map((one) => (
        <ApplianceCard key={one.id} client={client} dropped={one} />
      ))}
    </SectionFrame>
  );
};

/** Appliances first, as they tell where the images belong. */
const takeAll = async (client: Client, files: readonly File[]): Promise<void> => {
  for (const file of files.filter(({ name }) => isAppliance(name))) await addAppliance(client, file);
  for (const file of files.filter(({ name }) => !isAppliance(name))) {
    const place = placeOf(applianceFiles.get(), file.name);
    if (place === null)
      notify('warning', t('No appliance here needs {name}. Open its appliance file first.', { name: file.name }));
    else await sendImage(client, place, file);
  }
};

/** Sends an image that an appliance needs, under the name that the appliance has for it. */
const sendImage = async (
  client: Client,
  { nodeType, name }: { nodeType: string; name: string },
  file: File,
): Promise<void> => {
  await attempt(async () => {
    await uploadImage(client, { computeId: 'local', nodeType }, file, name);
    await readAgain(client);
  });
};

/** An appliance with its versions. */
const ApplianceCard = ({ client, dropped }: { client: Client; dropped: ApplianceFile }): ReactElement => {
  const { appliance, fileName, problem, id } = dropped;
  const name = appliance?.name ?? fileName;
  return (
    <section className="appliance" aria-label={name}>
      <div className="catalogue-head">
        <h3 className="wrap">{name}</h3>
        {appliance !== null && <About appliance={appliance} />}
        <span className="spring" />
        <IconButton icon="close" label={t('Put {name} away', { name })} onClick={() => forget(id)} />
      </div>
      {problem !== null && (
        <p role="alert" className="problem wrap">
          {fileName}: {problem}
        </p>
      )}
      {appliance?.description != null && <p className="note wrap">{appliance.description}</p>}
      {appliance?.versions.map((version, index) => (
        <ApplianceVersion
          // Names of versions need not differ.
          key={`${index} ${version.name ?? ''}`}
          client={client}
          appliance={appliance}
          version={version}
          isOpen={index === 0}
        />
      ))}
    </section>
  );
};

const About = ({ appliance }: { appliance: Appliance }): ReactElement => {
  const { vendor, status, product_url: product, documentation_url: manual, versions } = appliance;
  const kind = versions[0]?.node_type;
  const words = [vendor, kind === undefined ? null : sayKind(kind), status === 'stable' ? null : status];
  return (
    <>
      <span className="note wrap">{words.filter((word) => word !== null).join(' · ')}</span>
      {product !== null && <WebLink href={product} text={t('Product')} />}
      {manual !== null && <WebLink href={manual} text={t('Documentation')} />}
    </>
  );
};

interface ApplianceVersionProps {
  readonly client: Client;
  readonly appliance: Appliance;
  readonly version: Version;
  readonly isOpen: boolean;
}

/** A version: its images, those that are there and those that are not, and its template. */
const ApplianceVersion = ({ client, appliance, version, isOpen }: ApplianceVersionProps): ReactElement => {
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

const WebLink = ({ href, text }: { href: string; text: string }): ReactElement => (
  <a href={href} target="_blank" rel="noreferrer noopener">
    {text}
  </a>
);
