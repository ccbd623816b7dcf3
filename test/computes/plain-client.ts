import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { conflict, notFound } from '../../src/common/errors.ts';
import type { ComputeClient } from '../../src/computes/client/client.ts';

/** Requests of one connection each, without anything that a client for real needs beside. */
export const plainClient = (url: string): ComputeClient => {
  const open = (method: string, path: string, signal?: AbortSignal) =>
    request(`${url}/v2/compute${path}`, { method, ...(signal === undefined ? {} : { signal }) });
  const answer = async (sent: ReturnType<typeof open>, path: string): Promise<IncomingMessage> => {
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    if ((response.statusCode ?? 500) < 300) return response;
    const text = String(await buffer(response));
    throw response.statusCode === 404 ? notFound('File', path) : conflict(`${response.statusCode}: ${text}`);
  };
  return {
    async request(method, path, { body, signal } = {}) {
      const sent = open(method, path, signal);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
      const text = String(await buffer(await answer(sent, path)));
      return text === '' ? null : (JSON.parse(text) as unknown);
    },
    async download(path, signal): Promise<Readable> {
      return answer(open('GET', path, signal).end(), path);
    },
    async upload(path, content, signal) {
      const sent = open('POST', path, signal);
      const [response] = await Promise.all([answer(sent, path), pipeline(content, sent)]);
      response.resume();
    },
  };
};
