import type { ReactElement } from 'react';
import type { Client } from 'topolog/client';
import { uploadImage } from '../../inspector/edit/images.ts';
import { attempt, notify } from '../../store/notices.ts';
import type { Node } from '../../store/records.ts';
import { Button, FileButton } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy.ts';
import { t, told } from '../../words/words.ts';
import { mendOf } from './failure.ts';

/** Offers what mends a failed start: an upload, after which the node starts, or a command to copy. */
export const MendOffer = ({ client, node }: { client: Client; node: Node }): ReactElement | null => {
  const mend = mendOf(node);
  if (mend === null) return null;
  const { image, install } = mend;
  return (
    <div className="mend row">
      {image !== null && (
        <FileButton
          text={t('Upload this image')}
          about={image}
          kind="primary"
          onFiles={([file]) => file !== undefined && void uploadAndStart(client, node, image, file)}
        />
      )}
      {install !== null && (
        <>
          <code className="wrap">{told(install)}</code>
          <Button icon="copy" onClick={() => void copyText(told(install), t('What to do'))}>
            {t('Copy')}
          </Button>
        </>
      )}
    </div>
  );
};

const uploadAndStart = async (client: Client, node: Node, image: string, file: File): Promise<void> => {
  const { compute_id: computeId, node_type: nodeType, name, project_id, node_id } = node;
  await attempt(async () => {
    await uploadImage(client, { computeId, nodeType }, file, image);
    await client.post('/v2/projects/{project_id}/nodes/{node_id}/start', { path: { project_id, node_id } });
    notify('success', t('{name} runs.', { name }));
  });
};
