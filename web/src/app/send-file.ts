import type { Client } from 'topolog/client';
import { sayBytes } from '../store/jobs.ts';
import { withTask } from '../store/tasks.ts';
import { t } from '../words/words.ts';
import { nameHeaders, session } from './user/session.ts';

/** Posts a file, showing how far it is; by XMLHttpRequest, as fetch does not tell. Throws what the server says. */
export const sendFile = (client: Client, path: string, file: Blob, name: string): Promise<void> => {
  const request = new XMLHttpRequest();
  return withTask(
    t('Uploading {name}', { name }),
    (task) =>
      new Promise<void>((resolve, reject) => {
        request.upload.onprogress = ({ loaded, total }) =>
          task.report(
            t('{done} of {total} sent', { done: sayBytes(loaded), total: sayBytes(total) }),
            total === 0 ? null : loaded / total,
          );
        request.onload = () =>
          request.status < 300 ? resolve() : reject(new Error(messageOf(request.responseText, request.status)));
        request.onerror = () => reject(new TypeError('nobody answers'));
        request.onabort = () => reject(new DOMException('cancelled', 'AbortError'));
        request.open('POST', `${client.url}${path}`);
        for (const [header, value] of Object.entries(nameHeaders(session.get())))
          request.setRequestHeader(header, value);
        request.send(file);
      }),
    () => request.abort(),
  );
};

/** The reason for a refusal, from the answer to an upload. */
export const messageOf = (body: string, status: number): string => {
  try {
    const { message } = JSON.parse(body) as { message?: unknown };
    if (typeof message === 'string') return message;
  } catch {
    // It was not the server that answered.
  }
  return t('The upload failed ({status}).', { status });
};
