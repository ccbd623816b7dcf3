import { goTo } from '../app/router.ts';
import { session } from '../app/user/session.ts';
import type { Upload } from './dropped.ts';
import { uploadLab } from './transfer.ts';

/** Sends a lab, opens it and goes there. Throws what the server says. */
export const openUpload = async (upload: Upload): Promise<void> => {
  const project_id = await uploadLab(upload);
  await session.get().client.post('/v2/projects/{project_id}/open', { path: { project_id } });
  goTo({ view: 'lab', projectId: project_id });
};
