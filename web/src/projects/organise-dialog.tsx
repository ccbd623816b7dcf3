import { type ReactElement, type SubmitEvent, useState } from 'react';
import type { Client } from 'topolog/client';
import { sentenceOf } from '../store/notices.ts';
import type { Project } from '../store/records.ts';
import { Dialog, FormEnd } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { t } from '../words/words.ts';
import { nameOf } from './actions.ts';
import { folderOf, readFolder, readTags, sayFolder, tagsOf } from './project-list.ts';

interface Props {
  readonly client: Client;
  readonly project: Project;
  /** That there are already, to be picked. */
  readonly folders: readonly string[];
  readonly onClose: () => void;
}

/** Puts a project into a folder and gives it tags. */
export const OrganiseDialog = ({ client, project, folders, onClose }: Props): ReactElement => {
  const [folder, setFolder] = useState(sayFolder(folderOf(project)));
  const [tags, setTags] = useState(tagsOf(project).join(', '));
  const [problem, setProblem] = useState<string | null>(null);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    client
      .put('/v2/projects/{project_id}', {
        path: { project_id: project.project_id },
        body: { folder: readFolder(folder), tags: readTags(tags) },
      })
      .then(onClose, (error: unknown) => setProblem(sentenceOf(error)));
  };
  return (
    <Dialog title={t('Folder and tags of {name}', { name: nameOf(project) })} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <TextField
          label={t('Folder')}
          value={folder}
          onChange={setFolder}
          note={t('With / between folders. Empty: at the top')}
          list="known-folders"
          autoComplete="off"
        />
        <datalist id="known-folders">
          {folders.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
        <TextField
          label={t('Tags')}
          value={tags}
          onChange={setTags}
          note={t('With commas between them')}
          autoComplete="off"
        />
        <FormEnd problem={problem} submit={t('Save')} onClose={onClose} />
      </form>
    </Dialog>
  );
};
