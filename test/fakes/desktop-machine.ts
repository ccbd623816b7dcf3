/**
 * Stands in for the process that runs a machine of a desktop hypervisor. Its guest sends every frame back on the adapter that it
 * came by, and has a prompt on its serial line: what is typed comes back, `poweroff` shuts it down, `crash` ends the process.
 * What it is to be is in the file `FAKE_MACHINE` names; commands come over a unix socket, one word and a line end each.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import type { MachineSpec } from './desktop-machine-spec.ts';

/** Longer than any test: one that was interrupted leaves its machines running, and nobody else would end them. */
const LIFETIME_MS = 15 * 60_000;
const BOOT_MS = 60;
/** What a guest that knows its power button takes to shut down. */
const SHUTDOWN_MS = 80;

const spec = JSON.parse(readFileSync(process.env['FAKE_MACHINE'] ?? '', 'utf8')) as MachineSpec;
const consoles = new Set<Socket>();
const children: ChildProcess[] = [];
const pulled = new Set<number>();
let state = spec.restores ? 'restoring' : 'starting';
let counted = 0;

const log = (line: string): void => appendFileSync(spec.log, `00:00:00.0 ${line}\n`);
const tell = (next: string): void => {
  state = next;
  writeFileSync(spec.status, JSON.stringify({ pid: process.pid, state }));
};
const print = (text: string): void => {
  for (const console of consoles) console.write(text);
};
const end = (final: string): void => {
  tell(final);
  log(`the machine is ${final}`);
  for (const child of children) child.kill('SIGKILL');
  if (spec.serial !== null) rmSync(spec.serial, { force: true });
  rmSync(spec.control, { force: true });
  process.exit(0);
};
const crash = (): void => {
  log('VERR_INTERNAL_ERROR: the guest has crashed the machine');
  for (const child of children) child.kill('SIGKILL');
  process.exit(1);
};

const commands: Record<string, (argument: string) => void> = {
  pause: () => tell('paused'),
  resume: () => tell('running'),
  reset: () => {
    counted = 0;
    print('\r\nbooting\r\nlogin: ');
  },
  poweroff: () => end('poweroff'),
  savestate: () => end('saved'),
  // A paused guest hears nothing.
  button: () => {
    if (spec.obeysButton && state === 'running') setTimeout(() => end('poweroff'), SHUTDOWN_MS);
  },
  plug: (adapter) => void pulled.delete(Number(adapter)),
  pull: (adapter) => void pulled.add(Number(adapter)),
};

const type = (socket: Socket, text: string): void => {
  if (state !== 'running') return;
  if (text.includes('poweroff')) return end('poweroff');
  if (text.includes('crash')) return crash();
  socket.write(text.replace(/\r/g, `\r\nlogin: `));
};

const serve = (path: string): void => {
  const server = createServer((socket) => {
    consoles.add(socket);
    socket.on('close', () => consoles.delete(socket));
    socket.on('error', () => undefined);
    socket.on('data', (data) => type(socket, data.toString('utf8')));
    socket.write('\r\nlogin: ');
  });
  rmSync(path, { force: true });
  server.listen(path);
};

/** The guest's answer to a frame: the same one. */
const echo = (adapter: number, socket: UdpSocket, port: number): void => {
  socket.on('message', (frame) => {
    if (state !== 'running' || pulled.has(adapter)) return;
    counted += 1;
    socket.send(frame, port, '127.0.0.1');
  });
  socket.on('error', (error) => {
    log(`VERR_NET_ADDRESS_IN_USE: adapter ${adapter}: ${error.message}`);
    process.exit(1);
  });
};

for (const nic of spec.nics) {
  const socket = createSocket('udp4');
  echo(nic.adapter, socket, nic.to);
  socket.bind(nic.from, '0.0.0.0');
  if (nic.interface === null) continue;
  const relay = ['socat', `INTERFACE:${nic.interface}`];
  const peer = `UDP4-DATAGRAM:127.0.0.1:${nic.from},bind=127.0.0.1:${nic.to}`;
  // It ends with this process, however that ends.
  children.push(spawn('setpriv', ['--pdeathsig', 'KILL', ...relay, peer], { stdio: 'ignore' }));
}
const command = (line: string): void => {
  const [word = '', argument = ''] = line.split(' ');
  commands[word]?.(argument);
};
// Of one that has crashed.
rmSync(spec.control, { force: true });
createServer((socket) => {
  socket.on('error', () => undefined);
  socket.on('data', (data) => {
    const line = data.toString('utf8').trim();
    // The answer goes first: some commands end the process.
    socket.end(line === 'count' ? `${counted}\n` : 'ok\n', () => command(line));
  });
}).listen(spec.control, () => {
  tell(state);
  log('the machine starts');
  if (spec.endsAtOnce) return void setTimeout(crash, BOOT_MS);
  setTimeout(() => {
    if (spec.serial !== null) serve(spec.serial);
    // Somebody may have paused it meanwhile.
    if (state !== 'paused') tell('running');
  }, BOOT_MS);
});
process.on('SIGTERM', () => end('poweroff'));
setTimeout(() => process.exit(2), LIFETIME_MS);
