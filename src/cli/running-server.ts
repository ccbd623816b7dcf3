import { spawn } from 'node:child_process';
import { mkdir, open, readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { conflict, invalid } from '../common/errors.ts';
import { programFile } from '../common/package.ts';
import { until } from '../common/promises.ts';
import { findServer, type FoundServer } from '../server/found-server.ts';

/** Pause between two queries for a server that starts. Milliseconds. */
const LOOK_MS = 100;

/** Finds the server of a data directory, or asks at the terminal whether to start one. Throws a conflict without a server. */
export const runningServer = async (dataDir: string): Promise<FoundServer> => {
  const found = await findServer(dataDir);
  if (found !== null) return found;
  if (process.stdin.isTTY && process.stderr.isTTY && (await isYes(`No server runs on ${dataDir}. Start one?`, true)))
    return start(dataDir);
  throw conflict(`no server runs on ${dataDir}; start it with: topolog serve --data-dir ${dataDir}`);
};

/** Asks at the terminal. Ctrl+D and Ctrl+C are a no. */
const isYes = async (question: string, otherwise: boolean): Promise<boolean> => {
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const asked = asking.question(`${question} [${otherwise ? 'Y/n' : 'y/N'}] `);
    // Node rejects the question after Ctrl+D or Ctrl+C.
    const answer = (await asked.catch(() => 'no')).trim();
    return answer === '' ? otherwise : /^y(es)?$/i.test(answer);
  } finally {
    asking.close();
  }
};

/**
 * Asks at the terminal for confirmation of something that cannot be undone. Throws without a terminal, and if the answer is no.
 * `refused`: beginning of that message, such as `not deleted: node PC1`.
 */
export const needYes = async (question: string, refused: string): Promise<void> => {
  if (!process.stdin.isTTY) throw invalid(`${refused}; add --yes, or confirm at a terminal`);
  if (!(await isYes(question, false))) throw conflict(refused);
};

const PROGRAM = programFile('cli/topolog');

/** Starts a server that goes on when this terminal is closed. */
const start = async (dataDir: string): Promise<FoundServer> => {
  await mkdir(dataDir, { recursive: true });
  const output = path.join(dataDir, 'server.log');
  const file = await open(output, 'w', 0o600);
  const child = spawn(process.execPath, [PROGRAM, 'serve', '--data-dir', dataDir], {
    detached: true,
    stdio: ['ignore', file.fd, file.fd],
  });
  let hasEnded = false;
  child.once('exit', () => (hasEnded = true));
  const look = async (): Promise<FoundServer | null> => {
    const isOver = hasEnded;
    const found = await findServer(dataDir);
    if (found === null && isOver) throw conflict(`the server did not start: ${await lastLine(output)}`);
    return found;
  };
  try {
    const found = await until(look, { every: LOOK_MS });
    process.stderr.write(`topolog listens on ${found.url}; kill ${child.pid ?? ''} ends it; its output: ${output}\n`);
    return found;
  } finally {
    child.unref();
    await file.close();
  }
};

const lastLine = async (file: string): Promise<string> =>
  (await readFile(file, 'utf8')).trimEnd().split('\n').at(-1) ?? '';
