import type { Client } from 'topolog/client';
import { goTo } from '../app/router.ts';
import { messageOf } from '../app/send-file.ts';
import { nameHeaders, session } from '../app/user/session.ts';
import { type Progress, sayBytes, withJob } from '../store/jobs.ts';
import { type TaskHandle, withTask } from '../store/tasks.ts';
import { t } from '../words/words.ts';
import type { Upload } from './uploads.ts';

/** Sends a lab, which becomes a project with its title as name; resolves with its id. Throws what the server says. */
export const uploadLab = async (lab: Upload): Promise<string> => {
  const { client } = session.get();
  const project_id = await upload(client, nameHeaders(session.get()), lab);
  // A server that answers with the names of other tools closes what it imports with its last viewer; a lab of this page goes on.
  await client.put('/v2/projects/{project_id}', { path: { project_id }, body: { auto_close: false } });
  return project_id;
};

/** Sends a lab, opens it and goes there. Throws what the server says. */
export const openUpload = async (upload: Upload): Promise<void> => {
  const project_id = await uploadLab(upload);
  await session.get().client.post('/v2/projects/{project_id}/open', { path: { project_id } });
  goTo({ view: 'lab', projectId: project_id });
};

const upload = (
  client: Client,
  headers: Readonly<Record<string, string>>,
  { title, archive }: Upload,
): Promise<string> => {
  const projectId = crypto.randomUUID();
  const request = new XMLHttpRequest();
  return withTask(
    t('Uploading {name}', { name: title }),
    async (task) => {
      const job = { project_id: projectId, what: 'import' } as const;
      await withJob(client, job, task, () => {
        request.open('POST', `${client.url}/v2/projects/${projectId}/import?name=${encodeURIComponent(title)}`);
        for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
        return send(request, archive, task);
      });
      return projectId;
    },
    () => request.abort(),
  );
};

/** By XMLHttpRequest: fetch does not tell how much was sent. */
const send = (request: XMLHttpRequest, archive: Blob, task: TaskHandle): Promise<void> =>
  new Promise((resolve, reject) => {
    request.upload.onprogress = ({ loaded, total }) => {
      const isSent = loaded >= total;
      task.report(
        isSent
          ? t('The server unpacks and checks it')
          : t('{done} of {of} sent', { done: sayBytes(loaded), of: sayBytes(total) }),
        isSent ? null : loaded / total,
      );
    };
    request.onload = () =>
      request.status === 201 ? resolve() : reject(new Error(messageOf(request.responseText, request.status)));
    request.onerror = () => reject(new TypeError('nobody answers'));
    request.onabort = () => reject(new DOMException('cancelled', 'AbortError'));
    request.send(archive);
  });

/** Fetches a project as an archive and gives it to the browser to keep. */
export const download = (client: Client, projectId: string, name: string): Promise<void> => {
  const ending = new AbortController();
  return withTask(
    t('Downloading {name}', { name }),
    async (task) => {
      task.report(t('The server packs it'), null);
      const received: Received = { bytes: 0 };
      const run = async (): Promise<Blob> => {
        const call = { path: { project_id: projectId }, signal: ending.signal };
        return collect(await client.get('/v2/projects/{project_id}/export', call), received, task);
      };
      // It comes while it is packed, and nobody knows beforehand how small it becomes: what was packed says how far it is.
      const job = {
        project_id: projectId,
        what: 'export',
        show(progress: Progress): void {
          received.progress = progress;
          showReceived(task, received);
        },
      } as const;
      const content = await withJob(client, job, task, run);
      keep(content, `${name}.gns3project`);
    },
    () => ending.abort(),
  );
};

interface Received {
  bytes: number;
  progress?: Progress;
}

const showReceived = (task: TaskHandle, { bytes, progress }: Received): void => {
  const doing = bytes === 0 ? t('The server packs it') : t('{done} received', { done: sayBytes(bytes) });
  if (progress === undefined || progress.of === 0) task.report(doing, null);
  else {
    const { done, of, left } = progress;
    const packed = t('{done} of {of} packed', { done: sayBytes(done), of: sayBytes(of) });
    task.report(`${doing}, ${packed}`, done / of, left === null ? null : left * 1000);
  }
};

const collect = async (stream: ReadableStream<Uint8Array>, received: Received, task: TaskHandle): Promise<Blob> => {
  const parts: BlobPart[] = [];
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts, { type: 'application/octet-stream' });
    parts.push(new Uint8Array(value));
    received.bytes += value.length;
    showReceived(task, received);
  }
};

/** Gives bytes to the browser to keep as a file. */
export const keep = (content: Blob, fileName: string): void => {
  const url = URL.createObjectURL(content);
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = fileName;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
};
