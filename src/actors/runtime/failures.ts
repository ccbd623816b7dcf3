import path from 'node:path';
import { type ErrorCode, ERRORS, messageOf, TopologError } from '../../common/errors.ts';
import type { Failure } from '../../events/fields.ts';

/** Failures of effects: an exception, the data of an event, and an exception again for the caller that waits. */

export const stackOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

export const failureOf = (error: unknown): Failure => {
  if (error instanceof TopologError) return { code: error.code, message: error.message, ...mendOf(error) };
  if (error instanceof Error && error.name === 'TimeoutError')
    return { code: 'deadline', message: 'its engine did not finish in time' };
  return { code: 'engine_failed', message: messageOf(error) };
};

/** From the details with which engines say what a start needs. */
const mendOf = ({ details: { image, install } }: TopologError): Pick<Failure, 'mend'> => {
  const mend = {
    ...(typeof image === 'string' && image !== '' ? { image: path.basename(image) } : {}),
    ...(typeof install === 'string' ? { install } : {}),
  };
  return Object.keys(mend).length === 0 ? {} : { mend };
};

/** Throws a failure read back from an event, as the error it was. */
export const throwFailure = async (result: Promise<Failure | null>): Promise<void> => {
  const failure = await result;
  if (failure === null) return;
  const code = (failure.code in ERRORS ? failure.code : 'engine_failed') as ErrorCode;
  throw TopologError.saying(code, failure.message, failure.mend === undefined ? {} : { mend: failure.mend });
};
