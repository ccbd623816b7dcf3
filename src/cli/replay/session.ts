import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { invalid, messageOf } from '../../common/errors.ts';
import { readSession, type SessionContent } from '../../replay/read-session.ts';
import { verifySession } from '../../session/verify/verify-session.ts';
import { printable } from '../printable.ts';
import { cannotBe, type Place } from '../source.ts';
import { withSession } from '../verify/export-session.ts';

/** A session file, verified, or that of a project. null: the file is not whole, and that has been said. */
export const openSession = async (wanted: string, place: Place): Promise<SessionContent | null> => {
  const found = await stat(wanted).catch(() => null);
  if (found?.isFile() !== true) return withSession(place, wanted, {}, readSession).catch(asNeither(wanted));
  const verdict = await verifySession(createReadStream(wanted)).catch(cannotBe('read', wanted));
  if (verdict.ok) return readSession(createReadStream(wanted));
  process.stderr.write(`topolog: ${printable(`${wanted} is not whole, line ${verdict.line}: ${verdict.problem}`)}\n`);
  return null;
};

/** A name that is no file was taken for a project. */
const asNeither =
  (wanted: string) =>
  (error: unknown): never => {
    const none = `Project ${wanted} does not exist`;
    const message = messageOf(error);
    if (!message.startsWith(none)) throw error;
    throw invalid(`${wanted} is neither a session file nor a project${message.slice(none.length)}`);
  };
