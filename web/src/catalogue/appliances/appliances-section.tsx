import { type ReactElement, useEffect } from 'react';
import { uploadImage } from '../../inspector/edit/images.ts';
import type { Client } from '../../store/api.ts';
import { attempt, notify } from '../../store/notices.ts';
import { useStore } from '../../store/use-store.ts';
import { FileButton } from '../../ui/file-button.tsx';
import { t } from '../../words/words.ts';
import { SectionFrame } from '../section-frame.tsx';
import { ApplianceCard } from './appliance-card.tsx';
import { addAppliance, dropped, isAppliance, placeOf, readAgain } from './dropped.ts';

/** Appliance files: what they need, and the templates that become of them. */
export const AppliancesSection = ({ client }: { client: Client }): ReactElement => {
  const all = useStore(dropped);
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
    const place = placeOf(dropped.get(), file.name);
    if (place === null)
      notify('warning', t('No appliance here needs {name}. Open its appliance file first.', { name: file.name }));
    else await sendImage(client, place, file);
  }
};

/** Sends an image that an appliance needs, under the name that the appliance has for it. */
export const sendImage = async (
  client: Client,
  { nodeType, name }: { nodeType: string; name: string },
  file: File,
): Promise<void> => {
  await attempt(async () => {
    await uploadImage(client, { computeId: 'local', nodeType }, file, name);
    await readAgain(client);
  });
};
