import { type ReactElement, useEffect, useState } from 'react';
import { useScope } from '../../app/lab-context.tsx';
import { keep } from '../../projects/transfer.ts';
import { sayBytes } from '../../store/jobs.ts';
import { attempt, sentenceOf } from '../../store/notices.ts';
import { useStore } from '../../store/use-store.ts';
import { openPanel } from '../../store/workbench.ts';
import { sayMoment } from '../../words/format.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SwitchField } from '../../ui/field.tsx';
import { t } from '../../words/words.ts';
import { sayPlayTime } from './cast.ts';
import { listRecordings, playNext, readRecording, type Recording } from './recordings.ts';

interface Props {
  readonly nodeId: string;
  readonly name: string;
  readonly onClose: () => void;
}

/** Recordings of a console, and whether consoles are recorded. */
export const RecordingsDialog = ({ nodeId, name, onClose }: Props): ReactElement => {
  const { lab } = useScope();
  const isRecorded = useStore(lab.state, (now) => now.records.project?.record_consoles === true);
  const [recordings, setRecordings] = useState<readonly Recording[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const ending = new AbortController();
    listRecordings(lab, nodeId, ending.signal).then(setRecordings, (error: unknown) => {
      if (!ending.signal.aborted) setProblem(sentenceOf(error));
    });
    return () => ending.abort();
  }, [lab, nodeId, isRecorded]);
  const record = (record_consoles: boolean): Promise<boolean> =>
    attempt(() =>
      lab.client.put('/v2/projects/{project_id}', {
        path: { project_id: lab.projectId },
        body: { record_consoles },
      }),
    );
  return (
    <Dialog title={t('Recordings of {name}', { name })} onClose={onClose} wide>
      <div className="stack">
        <SwitchField label={t('Record the consoles of this project')} value={isRecorded} ask={record} />
        <p className="note">{t('Everything that is typed is in a recording, passwords at a prompt included.')}</p>
        {problem !== null && (
          <p className="problem" role="alert">
            {problem}
          </p>
        )}
        {recordings?.length === 0 && <p>{t('Nothing was recorded of this console yet.')}</p>}
        <ul className="recordings">
          {recordings?.toReversed().map((recording) => (
            <RecordingRow key={recording.name} nodeId={nodeId} recording={recording} onClose={onClose} />
          ))}
        </ul>
      </div>
    </Dialog>
  );
};

interface RowProps {
  readonly nodeId: string;
  readonly recording: Recording;
  readonly onClose: () => void;
}

const RecordingRow = ({ nodeId, recording, onClose }: RowProps): ReactElement => {
  const { lab, workbench } = useScope();
  const { name, bytes, seconds, started_at } = recording;
  const play = (): void => {
    onClose();
    // The dialog gives the focus back to the console, which would come to the front with it.
    requestAnimationFrame(() => {
      playNext(nodeId, name);
      workbench.update(openPanel({ kind: 'recording', nodeId, name }));
    });
  };
  const download = (): Promise<boolean> =>
    attempt(async () => {
      const text = await readRecording(lab, nodeId, name);
      keep(new Blob([text], { type: 'application/x-asciicast' }), name);
    });
  return (
    <li className="row">
      <span className="spring">
        {sayMoment(Date.parse(started_at))} ·{' '}
        {seconds === null ? <strong>{t('● goes on')}</strong> : sayPlayTime(seconds)} · {sayBytes(bytes)}
      </span>
      <Button icon="play" onClick={play}>
        {t('Play')}
      </Button>
      <Button icon="download" onClick={() => void download()}>
        {t('Download')}
      </Button>
    </li>
  );
};
