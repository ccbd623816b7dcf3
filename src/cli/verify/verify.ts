import { fork } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { invalid, TopologError } from '../../common/errors.ts';
import { programFile } from '../../common/package.ts';
import type { FoundServer } from '../../server/found-server.ts';
import type { StoreVerdict } from '../../session/verify/check-store.ts';
import { MOST_PROBLEMS } from '../../session/verify/findings.ts';
import { problemsOfOthers, verifyMoment, withProblems } from '../../session/verify/verify-log.ts';
import { type SessionVerdict, verifySession } from '../../session/verify/verify-session.ts';
import { cannotBe, command, LOG_AND_FILES, LOG_AND_FILES_HELP, parse, wrongUsage } from '../command.ts';
import { printable } from '../printable.ts';
import { logDirectory, openView, type Place, placeOf, serverOf } from '../source.ts';
import { projectIdOf } from './export-session.ts';
import { verifyOptions } from './options.ts';

const HELP = `topolog verify [--project PROJECT] [--log URL --cell NAME] [--data-dir DIR]
topolog verify FILE [--key BASE64]

Without a file: walks every event of the log, every link of every stream, every index, head, record and checkpoint, and prints
everything that is wrong, with its position; and the files whose content the log knows, the keys and the users. Works with and without a running server, and changes no file. --project: that project's only.
--files: the server's, where projects and images are not in the data directory; one that runs knows it.

With a session file (- is standard input): checks it line by line and prints the first line that is not as it was signed. Needs
nothing but the file. --key: the public key that must have signed it, as /v2/health of the server that made it shows.

${LOG_AND_FILES_HELP}
Exit code 0 if nothing is wrong, 1 otherwise.
`;

const OPTIONS = { ...LOG_AND_FILES, project: { type: 'string' }, key: { type: 'string' } } as const;

/** `topolog verify` */
export const verifyCommand = command(HELP, async (args) => {
  const { values, positionals } = parse({ args, options: OPTIONS, allowPositionals: true });
  const [file, more] = positionals;
  if (more !== undefined) throw wrongUsage('verify [FILE]');
  if (file !== undefined) {
    if (values.project !== undefined) throw invalid('topolog verify takes a file or --project, not both');
    return verifyFile(file, values.key);
  }
  if (values.key !== undefined) throw invalid('--key goes with a file');
  return verifyLog(placeOf(values), values.project);
});

const verifyFile = async (file: string, key: string | undefined): Promise<number> => {
  const source = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 256 * 1024 });
  const verdict = await verifySession(source, key === undefined ? {} : { key }).catch(cannotBe('read', file));
  const name = file === '-' ? 'standard input' : file;
  process.stdout.write(
    verdict.ok ? whole(name, verdict) : `${printable(`${name}, line ${verdict.line}: ${verdict.problem}`)}\n`,
  );
  return verdict.ok ? 0 : 1;
};

const whole = (name: string, verdict: SessionVerdict & { ok: true }): string => {
  const { head, facts: events, recordings, files, redacted, secrets } = verdict;
  const parts = [`${events} events`, `${recordings} parts of recordings`, `${files} files`, `${redacted} redacted`];
  return [
    `${name} is whole: project ${JSON.stringify(head.name)} (${head.project_id}), versions ${head.from} to ${head.to}`,
    parts.join(', '),
    ...(secrets === 0
      ? []
      : [`events with secrets, as earlier versions wrote them: ${secrets}; --redact secrets leaves them out`]),
    `signed by ${verdict.fingerprint} on ${head.exported_at}`,
    '',
  ]
    .map(printable)
    .join('\n');
};

const verifyLog = async (place: Place, project: string | undefined): Promise<number> => {
  const id = project === undefined ? null : await projectIdOf(place, project);
  const { facts: events, records, problems, lost, secrets = [] } = await verdictOf(place, id);
  const lines = problems.map(
    ({ position, where, message }) =>
      `${position === null ? '' : `position ${position}, `}${where}: ${printable(message)}\n`,
  );
  process.stdout.write(
    lines.length === 0 ? `the log is whole: ${events} events, ${records} records${repaired(lost)}\n` : lines.join(''),
  );
  process.stdout.write(secretsIn(secrets));
  if (lines.length >= MOST_PROBLEMS) process.stdout.write('There may be more.\n');
  return lines.length === 0 ? 0 : 1;
};

const verdictOf = async (place: Place, id: string | null): Promise<StoreVerdict> => {
  const server = await serverOf(place);
  if (server !== null) return ofServer(server, place, id);
  return place.cell === null ? verifyView(place, id) : verifyCell(place, id);
};

const verifyCell = async (place: Place, id: string | null): Promise<StoreVerdict> => {
  const { store, cell, close } = await openView(place);
  try {
    return await verifyMoment(store, verifyOptions(place, id, cell));
  } finally {
    await close();
  }
};

const repaired = (lost: number): string =>
  lost === 0 ? '' : `; lost before a repair, as its log.repaired lists and signs: ${lost}`;

const secretsIn = (found: NonNullable<StoreVerdict['secrets']>): string => {
  if (found.length === 0) return '';
  const lines = found.map(({ project_id, name, events }) =>
    printable(`  ${project_id === null ? 'templates' : `${JSON.stringify(name)} (${project_id})`}: ${events} events`),
  );
  return [
    'secrets stand in events that an earlier version wrote, of',
    ...lines,
    'docs/how-to/back-up-and-move.md says how to make a copy without them',
    '',
  ].join('\n');
};

/** Asks the server, and checks keys and users here, as they are files of this machine. */
const ofServer = async ({ client }: FoundServer, place: Place, id: string | null): Promise<StoreVerdict> => {
  const query = { files: 'yes', ...(id === null ? {} : { project_id: id }) } as const;
  const verdict = await client.get('/v2/verify', { query });
  return withProblems(verdict, [...verdict.problems, ...(await problemsOfOthers(verifyOptions(place, id)))]);
};

/** Message of the reading process. */
export type Said = { position: number } | { verdict: StoreVerdict } | { failure: string; code: string | null };

/**
 * Checks a view of the log of a data directory in a process of its own: LevelDB can crash on damaged files, which is reported as a problem.
 */
const verifyView = async ({ dataDir, filesDir }: Place, projectId: string | null): Promise<StoreVerdict> => {
  await logDirectory(dataDir);
  const args = [dataDir, filesDir, ...(projectId === null ? [] : [projectId])];
  const child = fork(programFile('cli/verify/reader'), args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  let position = 0;
  let said: Said | null = null;
  child.on('message', (one: Said) => {
    if ('position' in one) position = one.position;
    else said = one;
  });
  const end = await new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  return verdictFrom(said, position, end);
};

const verdictFrom = (said: Said | null, position: number, end: string): StoreVerdict => {
  if (said !== null && 'verdict' in said) return said.verdict;
  if (said !== null && 'failure' in said && said.code !== null) throw TopologError.saying('conflict', said.failure);
  const why = said !== null && 'failure' in said ? said.failure : `the process that read it ended (${end})`;
  const message =
    position === 0 ? `it cannot be read: ${why}` : `it cannot be read beyond position ${position}: ${why}`;
  const problem = { position: position === 0 ? null : position + 1, where: 'store', message };
  return { ok: false, facts: position, records: 0, lost: 0, problem, problems: [problem] };
};
