import type { Logger } from 'pino';

/**
 * All errors that a caller can get: code, HTTP status, sentence. `{name}` in a sentence is filled from the error's details.
 * docs/reference/errors.md is checked against this table by a test.
 */
export const ERRORS = {
  invalid_request: { status: 400, sentence: 'The request is not valid: {reason}' },
  unauthorized: { status: 401, sentence: 'A user name and password are needed' },
  forbidden: { status: 403, sentence: '{reason}' },
  not_local: { status: 403, sentence: 'Only the local server does this; this one was started with --no-local' },
  project_closed: { status: 403, sentence: 'The project is not opened' },
  not_found: { status: 404, sentence: '{what} {id} does not exist' },
  no_route: { status: 404, sentence: 'There is nothing at {method} {path}' },
  method_not_allowed: { status: 405, sentence: '{method} is not possible at {path}; possible: {allowed}' },
  deadline: { status: 408, sentence: '{what} did not finish within {seconds} s' },
  compute_unreachable: { status: 409, sentence: 'Compute {name} cannot be reached: {reason}' },
  conflict: { status: 409, sentence: '{reason}' },
  fenced: { status: 409, sentence: 'This compute does not take it from controller {controller_id}: {reason}' },
  engine_missing: { status: 409, sentence: '{what} needs {needs}: {install}' },
  engine_failed: { status: 409, sentence: '{what}: {reason}' },
  nodes_failed: { status: 409, sentence: '{count} of {total} nodes could not be {done}: {reason}' },
  precondition_failed: {
    status: 412,
    sentence: '{what} is not what If-Match expects: its ETag is {etag}; read it again',
  },
  body_too_large: { status: 413, sentence: 'The body is larger than {limit} bytes' },
  media_type: { status: 415, sentence: 'The body is {given}; send application/json' },
  too_many_listeners: { status: 429, sentence: '{most} clients listen or wait already, as many as this server serves' },
  too_many_requests: { status: 429, sentence: '{reason}; try again in {retry_after} s' },
  headers_too_large: { status: 431, sentence: 'The request line and the headers are larger than {limit} bytes' },
  internal: {
    status: 500,
    sentence: 'The server failed on this request; its log has the cause under request {request_id}',
  },
  log_damaged: { status: 500, sentence: 'The log is damaged at {where}: {reason}' },
  fabric_lost: { status: 503, sentence: 'The fabric process is not answering; it is being started again' },
  lease_lost: { status: 503, sentence: 'This server does not write the log: {reason}' },
  not_ready: { status: 503, sentence: 'Not ready: {reason}' },
  log_read_only: { status: 503, sentence: 'The log cannot be written: {reason}; nothing was changed' },
  log_unreachable: { status: 503, sentence: 'The database of the log cannot be reached: {reason}' },
  no_writer: { status: 503, sentence: 'No server of the cell writes at the moment: {reason}; try again' },
  shutting_down: { status: 503, sentence: 'The server is shutting down' },
  disk_full: { status: 507, sentence: 'The disk of the data directory is full; nothing was changed' },
} as const satisfies Record<string, { status: number; sentence: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** An expected failure. Everything else that is thrown is a defect and answers 500 without its message. */
export class TopologError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, details: Record<string, unknown> = {}, options?: { cause?: unknown }) {
    super(fill(ERRORS[code].sentence, details), options);
    this.name = 'TopologError';
    this.code = code;
    this.status = ERRORS[code].status;
    this.details = details;
  }

  /** An error with this code and another sentence, such as that of an event. */
  static saying(code: ErrorCode, message: string, details: Record<string, unknown> = {}): TopologError {
    const error = new TopologError(code, details);
    error.message = message;
    return error;
  }
}

export const conflict = (reason: string, details: Record<string, unknown> = {}): TopologError =>
  new TopologError('conflict', { reason, ...details });

export const invalid = (reason: string, details: Record<string, unknown> = {}): TopologError =>
  new TopologError('invalid_request', { reason, ...details });

/** Failure of an engine, or of a program of this machine. */
export const engineFailed = (what: string, reason: string, cause?: unknown): TopologError =>
  new TopologError('engine_failed', { what, reason }, cause === undefined ? undefined : { cause });

/** Converts any error into a failure of a node's engine, with the name of the node; a TopologError stays as it is. */
export const asEngineFailed = ({ name }: { name: string }, error: unknown): TopologError =>
  error instanceof TopologError ? error : engineFailed(name, messageOf(error), error);

export const notFound = (what: string, id: string): TopologError => new TopologError('not_found', { what, id });

/** Existing clients look for these words, in any case, to tell a missing file from a failure. */
export const fileNotFound = (name: string): TopologError =>
  TopologError.saying('not_found', `404 Not Found: the file ${name} was not found`, { what: 'File', id: name });

/** Most nodes that the sentence names, which is all that some clients show; `failed` has every one. */
const MOST_NAMED = 10;

/** `done`: the participle behind "could not be". */
export const nodesFailed = (
  done: string,
  total: number,
  failed: readonly { node_id: string; name: string; message: string }[],
): TopologError => {
  const named = failed.slice(0, MOST_NAMED).map(({ name, message }) => `${name} (${message})`);
  const more = failed.length - named.length;
  const reason = [...named, ...(more === 0 ? [] : [`and ${more} more`])].join('; ');
  return new TopologError('nodes_failed', { count: failed.length, total, done, reason, failed });
};

/** Message of anything thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Message of anything thrown, for use in another sentence: only the `reason` of a TopologError that has one. */
export const reasonIn = (error: unknown): string =>
  error instanceof TopologError && 'reason' in error.details ? String(error.details['reason']) : messageOf(error);

const FILE_TROUBLES: Readonly<Record<string, string>> = {
  EACCES: 'no permission',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'a file of that name is in the way',
  EISDIR: 'it is a directory',
  ENOENT: 'it does not exist',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is not a directory',
  EPERM: 'no permission',
  EROFS: 'the file system is read-only',
};

/** Why a file cannot be read or written, for people. `missing`: the reason if there is nothing at its path. */
export const fileTroubleOf = (error: unknown, missing?: string): string => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return (code === 'ENOENT' ? missing : undefined) ?? FILE_TROUBLES[code] ?? messageOf(error);
};

/** Why a directory cannot be made with its parents. */
export const directoryTroubleOf = (error: unknown): string =>
  fileTroubleOf(error, 'its file system takes no new directories');

/** Handler that logs the failure of a promise that nobody awaits. `about`: ids of the project or node. */
export const reporting =
  (logger: Logger, about: object, what?: string) =>
  (error: unknown): void =>
    logger.error(about, what === undefined ? messageOf(error) : `${what}: ${messageOf(error)}`);

const fill = (sentence: string, details: Record<string, unknown>): string =>
  sentence.replace(/\{(\w+)\}/g, (_, key: string) => {
    const value = details[key] ?? `(${key})`;
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
