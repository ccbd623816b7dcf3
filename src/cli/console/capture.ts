import { open } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import type { Writable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { invalid, TopologError } from '../../common/errors.ts';
import type { FoundServer } from '../../server/found-server.ts';
import { pick } from '../names.ts';
import { printable } from '../printable.ts';
import { runningServer } from '../running-server.ts';
import { cannotBe, COMMON, command, dataDirOf, parse, wrongUsage } from '../command.ts';
import { linksOf, type NamedLink } from '../objects.ts';

const HELP = `topolog capture LINK [-w FILE] [--data-dir DIR]

Captures a link and writes its packets as pcap to standard output, or to a file, until Ctrl+C or until their reader ends:

  topolog capture PC1-Switch1 | tshark -r -

LINK is named from either end, with ports where there are several (PC1:e0-Switch1:e1), with its project (first-lab/PC1-Switch1), by a unique
prefix, or by its id. A capture that runs already is followed from its beginning, and goes on.
`;

const OPTIONS = { ...COMMON, write: { type: 'string', short: 'w' } } as const;

/** `topolog capture` */
export const captureCommand = command(HELP, async (args) => {
  const { values, positionals } = parse({ args, options: OPTIONS, allowPositionals: true });
  const [wanted, more] = positionals;
  if (wanted === undefined || more !== undefined) throw wrongUsage('capture LINK');
  if (values.write === undefined && process.stdout.isTTY)
    throw invalid(`packets are not for a terminal: topolog capture ${wanted} | tshark -r -, or -w FILE`);
  const server = await runningServer(dataDirOf(values['data-dir']));
  const found = pick('link', await linksOf(server.client), wanted);
  const { write } = values;
  const to = write === undefined ? process.stdout : await openToWrite(write).catch(cannotBe('written', write));
  await capture(server, found, to);
  return 0;
});

const openToWrite = async (file: string): Promise<Writable> => (await open(file, 'w')).createWriteStream();

const LINK = '/v2/projects/{project_id}/links/{link_id}';

/** Captures until Ctrl+C, the reader or the server ends it; stops the capture if it has started it. */
const capture = async (server: FoundServer, { link, names }: NamedLink, to: Writable): Promise<void> => {
  const { client } = server;
  const at = { path: { project_id: link.project_id, link_id: link.link_id } };
  const isOurs = !link.capturing;
  const stopped = new AbortController();
  const stop = (): void => stopped.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  if (isOurs) await client.post(`${LINK}/start_capture`, at);
  const end = async (): Promise<unknown> => (isOurs ? client.post(`${LINK}/stop_capture`, at) : undefined);
  // Stops the capture only, so that packets captured so far are written: the server ends the stream behind the last one.
  stopped.signal.addEventListener('abort', () => void end().catch(() => undefined));
  try {
    process.stderr.write(`topolog: capturing ${printable(names[0])}; Ctrl+C ends it\n`);
    const packets = await packetsOf(server, link, isOurs ? undefined : stopped.signal);
    await pipeline(packets, to, { end: to !== process.stdout });
  } catch (error) {
    if (!isReaderGone(error) && !stopped.signal.aborted) throw error;
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
    await end();
  }
};

/** Requests packets by node:http, as `fetch` gives up after five minutes of silence, and a link may be quiet for hours. */
const packetsOf = async (
  { url, headers }: FoundServer,
  { project_id, link_id }: NamedLink['link'],
  signal: AbortSignal | undefined,
): Promise<IncomingMessage> => {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = { headers, ...(signal === undefined ? {} : { signal }) };
    get(`${url}/v2/projects/${project_id}/links/${link_id}/pcap`, options, resolve).once('error', reject);
  });
  if (answer.statusCode === 200) return answer;
  throw TopologError.saying('conflict', ((await json(answer)) as { message: string }).message);
};

const isReaderGone = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EPIPE';
