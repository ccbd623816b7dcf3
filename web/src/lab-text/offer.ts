import { notify } from '../store/notices.ts';
import { t } from '../words/words.ts';
import { type LabText, offerLabText } from './lab-text.ts';

/** What is no archive may be a lab as a text; what is neither is said. `projectId`: the lab that it is dropped on. */
export const offerAsText = (lab: LabText | null, projectId: string | null): void => {
  if (lab === null)
    notify(
      'warning',
      t('This is no lab. Drop a project file (.gns3), its folder, an archive (.gns3project), or a text (lab.yaml).'),
    );
  else offerLabText(lab, projectId);
};
