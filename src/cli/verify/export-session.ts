import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { moveTo, syncPath } from '../../common/durable.ts';
import { invalid, messageOf } from '../../common/errors.ts';
import { VERSION } from '../../common/package.ts';
import { secretsOf } from '../../common/secrets.ts';
import { scratchPlace } from '../../events/view-log.ts';
import { findPlaces } from '../../files/project/data-directory.ts';
import { Moments } from '../../projections/past/moments.ts';
import { resolvePaths } from '../../projections/past/record-paths.ts';
import { readSession, type SessionContent } from '../../replay/read-session.ts';
import type { FoundServer } from '../../server/found-server.ts';
import type { ExportOptions } from '../../session/export.ts';
import { createSessions } from '../../session/sessions.ts';
import { verifySession } from '../../session/verify/verify-session.ts';
import { cannotBe, command, LOG_AND_FILES, LOG_AND_FILES_HELP, parse, wrongUsage } from '../command.ts';
import { createLogger } from '../logger.ts';
import { printable } from '../printable.ts';
import { openSource, openView, type Place, placeOf, serverOf } from '../source.ts';
import { verifyOptions } from './options.ts';

const HELP = `topolog export-session PROJECT [--from N] [--to N] [--redact console,secrets] [-o FILE] [--log URL --cell NAME] [--data-dir DIR]

Writes a session of a project to standard output or to a file: its events as they are stored, what is needed to replay them,
and a signed head, as NDJSON. topolog verify checks such a file and needs nothing else. PROJECT is an id or a name; the id of a
deleted project will do. --from and --to are versions of the project's stream. --redact console leaves out what recorded
consoles showed, --redact secrets what events of earlier versions say of secrets; the hashes stay. Works with and without a running server.

${LOG_AND_FILES_HELP}`;

const OPTIONS = {
  ...LOG_AND_FILES,
  from: { type: 'string' },
  to: { type: 'string' },
  redact: { type: 'string' },
  output: { type: 'string', short: 'o' },
} as const;

/** `topolog export-session` */
export const exportSessionCommand = command(HELP, async (args) => {
  const { values, positionals } = parse({ args, options: OPTIONS, allowPositionals: true });
  const [wanted, more] = positionals;
  if (wanted === undefined || more !== undefined) throw wrongUsage('export-session PROJECT');
  const options = optionsOf(values);
  await exportSession(placeOf(values), wanted, options, values.output);
  return 0;
});

/** Writes a session to a file, or to the standard output. */
export const exportSession = (place: Place, wanted: string, options: ExportOptions, output?: string): Promise<void> =>
  withSession(place, wanted, options, (session) => writeTo(output, session));

/** Passes the session of a project, by id or name, to `use`: from the server that holds the data directory, or from the log itself. */
export const withSession = async <T>(
  place: Place,
  wanted: string,
  options: ExportOptions,
  use: (session: Readable) => Promise<T>,
): Promise<T> => {
  const id = await projectIdOf(place, wanted);
  const server = await serverOf(place);
  return server === null ? fromStore(place, id, options, use) : use(await fromServer(server, id, options));
};

const optionsOf = (values: { from?: string; to?: string; redact?: string }): ExportOptions => {
  const { from, to, redact } = values;
  if (redact !== undefined && !isRedaction(redact))
    throw invalid(`--redact takes console, secrets or console,secrets, not ${redact}`);
  return {
    ...(from === undefined ? {} : { from: versionOf('--from', from) }),
    ...(to === undefined ? {} : { to: versionOf('--to', to) }),
    ...(redact === undefined ? {} : { redact }),
  };
};

const isRedaction = (text: string): text is NonNullable<ExportOptions['redact']> =>
  ['console', 'secrets', 'console,secrets'].includes(text);

const versionOf = (flag: string, text: string): number => {
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw invalid(`${flag} takes a version of the project's stream, from 1, not ${text}`);
  return Number(text);
};

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Id of a project by its id or name; an id may be that of a deleted project. */
export const projectIdOf = async (place: Place, wanted: string): Promise<string> => {
  if (UUID.test(wanted)) return wanted;
  const source = await openSource(place);
  try {
    return await source.projectId(wanted);
  } finally {
    await source.close();
  }
};

const fromServer = async ({ client }: FoundServer, id: string, query: ExportOptions): Promise<Readable> => {
  const session = await client.get('/v2/projects/{project_id}/session', { path: { project_id: id }, query });
  return Readable.fromWeb(session as ReadableStream<Uint8Array>);
};

const fromStore = async <T>(
  place: Place,
  id: string,
  options: ExportOptions,
  use: (session: Readable) => Promise<T>,
): Promise<T> => {
  const { store, cell, close } = await openView(place);
  try {
    const moments = new Moments(() => store, { paths: resolvePaths(await findPlaces(place.filesDir, store)) });
    const spool = cell === null ? path.join(place.dataDir, 'spool') : await scratchPlace();
    const own = { store: () => store, moments, version: VERSION, spool, logger: createLogger() };
    const secrets = secretsOf(cell?.secrets ?? place.dataDir);
    const sessions = await createSessions({ ...verifyOptions(place, id, cell), ...own, secrets });
    return await use(await sessions.export(id, options));
  } finally {
    await close();
  }
};

/** Writes the whole file, or none. */
const writeTo = async (output: string | undefined, session: Readable): Promise<void> => {
  if (output === undefined) return pipeline(session, process.stdout, { end: false });
  const file = path.resolve(output);
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    await pipeline(session, createWriteStream(temporary, { flags: 'wx' }));
    await syncPath(temporary);
    await moveTo(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    cannotBe('written', output)(error);
  }
};

/** Reads a session file, which it verifies, or the session of a project. null for a damaged file, which it reports. */
export const openSession = async (wanted: string, place: Place): Promise<SessionContent | null> => {
  const found = await stat(wanted).catch(() => null);
  if (found?.isFile() !== true) return withSession(place, wanted, {}, readSession).catch(asNeither(wanted));
  const verdict = await verifySession(createReadStream(wanted)).catch(cannotBe('read', wanted));
  if (verdict.ok) return readSession(createReadStream(wanted));
  process.stderr.write(`topolog: ${printable(`${wanted} is not whole, line ${verdict.line}: ${verdict.problem}`)}\n`);
  return null;
};

/** Handler for a name that is neither a file nor a project. */
const asNeither =
  (wanted: string) =>
  (error: unknown): never => {
    const none = `Project ${wanted} does not exist`;
    const message = messageOf(error);
    if (!message.startsWith(none)) throw error;
    throw invalid(`${wanted} is neither a session file nor a project${message.slice(none.length)}`);
  };
