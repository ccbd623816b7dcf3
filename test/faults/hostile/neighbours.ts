import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import path from 'node:path';
import type { Attack, Figures } from './attack.ts';

const NOBODY = 65_534;

/** Runs as another user: prints a line for everything that it can read, write, make or connect to. */
const PROGRAM = `
const fs = require('fs'), net = require('net'), path = require('path');
const [root, ...sockets] = process.argv.slice(1);
const can = (what, work) => { try { work(); console.log(what); } catch {} };
const walk = (place, depth) => {
  can('write ' + place, () => fs.accessSync(place, fs.constants.W_OK));
  let names;
  try { names = fs.readdirSync(place, { withFileTypes: true }); } catch { return; }
  console.log('list ' + place);
  for (const entry of names) {
    const file = path.join(place, entry.name);
    if (entry.isDirectory()) { if (depth < 8) walk(file, depth + 1); continue; }
    can('read ' + file, () => fs.closeSync(fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK)));
    can('write ' + file, () => fs.accessSync(file, fs.constants.W_OK));
  }
};
walk(root, 0);
for (const name of sockets) {
  const socket = net.connect(name.replace(/^@/, '\\0'), () => { console.log('connect ' + name); socket.destroy(); });
  socket.on('error', () => {});
}
`;

/** What another user of the machine can do with the files and the sockets of a server. Needs root, as another user is one. */
export const neighbours = async ({ server, blame }: Attack): Promise<Figures> => {
  if (process.getuid?.() !== 0) return { 'skipped: not root': 1 };
  // Tests lie in directories that nobody else may enter; those of users need not.
  await chmod(path.dirname(server.dataDir), 0o755);
  const sockets = socketsOf([server.child.pid ?? 0, ...fabricsOf(server.dataDir)]);
  const said = await asNobody([server.dataDir, ...sockets]);
  for (const line of said.slice(0, 10)) blame(`another user can ${line}`);
  return { sockets: sockets.length, 'that others can': said.length };
};

const asNobody = (args: string[]): Promise<string[]> =>
  new Promise((resolve, reject) => {
    const options = { uid: NOBODY, gid: NOBODY, cwd: '/', timeout: 30_000, maxBuffer: 1 << 26 };
    execFile(process.execPath, ['-e', PROGRAM, ...args], options, (error, stdout) => {
      if (error !== null && stdout === '') reject(new Error(error.message, { cause: error }));
      else resolve(stdout.split('\n').filter((line) => line !== ''));
    });
  });

const processes = (): number[] => readdirSync('/proc').map(Number).filter(Number.isInteger);

/** Processes whose arguments name the data directory. */
const fabricsOf = (dataDir: string): number[] =>
  processes().filter((pid) => {
    try {
      return readFileSync(`/proc/${String(pid)}/cmdline`, 'utf8').includes(dataDir);
    } catch {
      return false;
    }
  });

/** Unix sockets that processes listen at, as `/proc/net/unix` names them. */
const socketsOf = (pids: readonly number[]): string[] => {
  const own = new Set(pids.flatMap(inodesOf));
  return readFileSync('/proc/net/unix', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , flags, , , inode, name]) => flags === '00010000' && own.has(inode ?? '') && name !== undefined)
    .map((columns) => columns[7] ?? '');
};

const inodesOf = (pid: number): string[] => {
  try {
    const folder = `/proc/${String(pid)}/fd`;
    return readdirSync(folder).flatMap((fd) => /^socket:\[(\d+)\]$/.exec(readlinkSync(`${folder}/${fd}`))?.[1] ?? []);
  } catch {
    return [];
  }
};
