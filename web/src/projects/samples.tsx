import { type ReactElement, useState } from 'react';
import { attempt } from '../store/notices.ts';
import type { Entry } from '../store/zip.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { type Message, t } from '../words/words.ts';
import { uploadsOf } from './uploads.ts';
import { openUpload } from './transfer.ts';

/** Where the files of the sample labs are, by their paths. */
const FILES = import.meta.glob<string>('../../../examples/labs/*/**', {
  query: '?url',
  import: 'default',
  eager: true,
});
const ROOT = '../../../examples/labs/';

interface Sample {
  readonly called: Message;
  readonly what: Message;
  /** Folder of its files. */
  readonly folder: string;
}

const SAMPLES: readonly Sample[] = [
  {
    called: 'First lab',
    what: 'Three PCs, a switch and a hub: start it, open two consoles, ping',
    folder: 'first-lab',
  },
  { called: 'VLANs', what: 'Two switches and a trunk: who reaches whom, and why', folder: 'vlans' },
];

const filesOfSample = (folder: string): Promise<Entry[]> =>
  Promise.all(
    Object.entries(FILES)
      .filter(([file]) => file.startsWith(`${ROOT}${folder}/`))
      .map(async ([file, url]) => ({ path: file.slice(ROOT.length), content: await (await fetch(url)).blob() })),
  );

/** Labs to begin with, each opened by one click. */
export const SampleList = (): ReactElement => {
  const [isBusy, setBusy] = useState(false);
  const open = async ({ called, folder }: Sample): Promise<void> => {
    setBusy(true);
    await attempt(async () => {
      const [upload] = await uploadsOf(await filesOfSample(folder));
      if (upload !== undefined) await openUpload({ ...upload, title: t(called) });
    });
    setBusy(false);
  };
  return (
    <ul>
      {SAMPLES.map((sample) => (
        <li key={sample.called}>
          <Icon name="shapes" />
          <div>
            <strong>{t(sample.called)}</strong>
            <p className="note">{t(sample.what)}</p>
          </div>
          <Button disabled={isBusy} onClick={() => void open(sample)}>
            {t('Open')}
            <span className="visually-hidden"> {t(sample.called)}</span>
          </Button>
        </li>
      ))}
    </ul>
  );
};

/** Where there is no project yet: what to begin with. */
export const Samples = (): ReactElement => (
  <section className="samples" aria-label={t('Begin here')}>
    <h3>{t('No project yet')}</h3>
    <p className="note">
      {t('Open a sample lab, make a project, or drop a project file, its folder or an archive here.')}
    </p>
    <SampleList />
  </section>
);
