import { type ReactElement, useState } from 'react';
import { useScope, useView } from '../app/lab-context.tsx';
import { session } from '../app/user/session.ts';
import { keep } from '../projects/transfer.ts';
import { attempt } from '../store/notices.ts';
import type { Link } from '../store/records.ts';
import { useStore } from '../store/use-store.ts';
import { openPanel } from '../store/workbench.ts';
import { Button } from '../ui/button.tsx';
import { copyText } from '../ui/copy.ts';
import { TextField } from '../ui/field.tsx';
import { t } from '../words/words.ts';
import { wiresharkCommand } from './wireshark.ts';

interface Props {
  readonly link: Link;
  /** An end cannot be reached: none can be started. One that is on may be at the other end. */
  readonly isAway: boolean;
}

/** Starts and stops a capture, and says how to get at it. */
export const CaptureSection = ({ link, isAway }: Props): ReactElement => {
  const { lab, workbench } = useScope();
  const { isReadOnly } = useView();
  const [name, setName] = useState('');
  const { link_id: linkId, capturing } = link;
  const path = { project_id: lab.projectId, link_id: linkId };
  const watch = (): void => workbench.update(openPanel({ kind: 'packets', linkId }));
  const start = (): Promise<boolean> =>
    attempt(async () => {
      const body = name.trim() === '' ? {} : { capture_file_name: name.trim() };
      await lab.client.post('/v2/projects/{project_id}/links/{link_id}/start_capture', { path, body });
      watch();
    });
  const stop = (): Promise<boolean> =>
    attempt(() => lab.client.post('/v2/projects/{project_id}/links/{link_id}/stop_capture', { path, body: {} }));
  return (
    <section className="stack" aria-label={t('Capture of this link')}>
      <h3>{t('Capture of this link')}</h3>
      {capturing ? (
        <>
          <p className="wrap">{t('Capturing into {file}', { file: link.capture_file_name ?? '' })}</p>
          <div className="row">
            <Button icon="stop" onClick={() => void stop()} disabled={isReadOnly}>
              {t('Stop capturing')}
            </Button>
            <Button icon="eye" onClick={watch}>
              {t('Watch packets')}
            </Button>
          </div>
        </>
      ) : (
        <>
          <TextField
            label={t('File name')}
            note={t('In the project’s folder of captures. Empty: named after the ends of the link.')}
            value={name}
            onChange={setName}
            autoComplete="off"
            disabled={isReadOnly || isAway}
          />
          <div className="row">
            <Button icon="capture" kind="primary" onClick={() => void start()} disabled={isReadOnly || isAway}>
              {t('Start capturing')}
            </Button>
          </div>
        </>
      )}
      {link.capture_file_name !== null && <CaptureFile link={link} fileName={link.capture_file_name} />}
    </section>
  );
};

const CaptureFile = ({ link, fileName }: { link: Link; fileName: string }): ReactElement => {
  const { lab, workbench } = useScope();
  const { user, isLoggedIn } = useStore(session);
  const download = (): Promise<boolean> =>
    attempt(async () => {
      const stream = await lab.client.get('/v2/projects/{project_id}/files/{path}', {
        path: { project_id: lab.projectId, path: `project-files/captures/${fileName}` },
      });
      keep(await new Response(stream).blob(), fileName);
    });
  const url = `${lab.client.url}/v2/projects/${lab.projectId}/links/${link.link_id}/pcap`;
  const command = wiresharkCommand(url, isLoggedIn ? user : null);
  return (
    <>
      <div className="row">
        {!link.capturing && (
          <Button icon="eye" onClick={() => workbench.update(openPanel({ kind: 'packets', linkId: link.link_id }))}>
            {t('Show packets')}
          </Button>
        )}
        <Button icon="download" onClick={() => void download()}>
          {link.capturing ? t('Download what there is') : t('Download the capture')}
        </Button>
      </div>
      {link.capturing && (
        <div className="stack">
          <p>{t('Watch it in Wireshark as it grows:')}</p>
          <pre className="command" tabIndex={0} aria-label={t('Command for Wireshark')}>
            {command}
          </pre>
          <div className="row">
            <Button icon="copy" onClick={() => void copyText(command, t('Command'))}>
              {t('Copy the command')}
            </Button>
          </div>
        </div>
      )}
    </>
  );
};
