import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir, hostname, userInfo } from 'node:os';
import path from 'node:path';
import { addressOf, type Libc, loadLibc } from '../../src/emulators/switch_router_emulator/libc.ts';
import type { FakeImage } from './iou-image.ts';
import { savedNvram, startupIn } from './iou-nvram.ts';

/**
 * A program that is used like an image of IOU, after what is publicly known of those: arguments, licence, NETMAP, sockets, console
 * and NVRAM. It routes nothing: a frame with `REQ` at octet 14 comes back with `RSP` there. What the real one says where no
 * public text has it is in the fake's own words.
 */

const HELP = (how: FakeImage): string => `Usage: <image> [options] <application id>
<image>: unix-js-m | unix-is-m | unix-i-m | ...
<application id>: instance identifier (0 < id <= 1024)
Options:
-e <n>        Number of Ethernet interfaces (default 2)
-s <n>        Number of Serial interfaces (default 2)
-n <n>        Size of nvram in Kb (default 64KB)
-b <string>   IOS debug string
-c <name>     Configuration file name
-d            Generate debug information
-t            Netio message trace
-q            Suppress informational messages
-h            Display this help
-C            Turn off use of host clock
-m <n>        Megabytes of router memory (default 256MB)
-L            Disable local console, use remote console
${how.noKeepalives === true ? '' : '-l            Enable Layer 1 keepalive messages\n'}-u <n>        UDP port base for distributed networks
-R            Ignore options from the IOURC file
-U            Disable unix: file system location
-W            Disable watchdog timer
-N            Ignore the NETMAP file
`;

interface Options {
  ethernet: number;
  serial: number;
  nvram: number;
  keepalives: boolean;
  id: number;
}

const say = (text: string): void => void process.stdout.write(text.replaceAll('\n', '\r\n'));

const fail = (text: string): never => {
  writeFileSync(1, `${text}\n`);
  process.exit(1);
};

const readOptions = (args: string[], how: FakeImage): Options => {
  const values: Record<string, number> = { e: 2, s: 2, n: 64, m: 256 };
  let keepalives = false;
  const left = [...args];
  while (left[0]?.startsWith('-') === true) {
    const option = left.shift()?.slice(1) ?? '';
    if (option === 'h') {
      writeFileSync(1, HELP(how));
      process.exit(0);
    }
    if (option === 'l' && how.noKeepalives !== true) keepalives = true;
    else if (option in values && /^\d+$/.test(left[0] ?? '')) values[option] = Number(left.shift());
    else if (option !== 'q') fail(`invalid option -- '${option}'\n${HELP(how)}`);
  }
  const id = Number(left[0]);
  if (left.length !== 1 || !(id > 0 && id <= 1024)) fail(HELP(how));
  const { e: ethernet = 2, s: serial = 2, n: nvram = 64 } = values;
  if (ethernet + serial > 16) fail('Too many interfaces');
  return { ethernet, serial, nvram, keepalives, id };
};

const checkLicence = ({ key }: FakeImage): void => {
  if (key === undefined) return;
  const file = process.env['IOURC'] ?? path.join(homedir(), '.iourc');
  const text = read(file)?.toString() ?? '';
  if (text.includes('[license]') && text.includes(`${hostname()} = ${key};`)) return;
  fail(`IOS On Unix - Cisco Systems confidential, internal use only
IOU License Error: invalid license
License for key 7f0343 required on host "${hostname()}".`);
};

const read = (file: string): Buffer | null => {
  try {
    return readFileSync(file);
  } catch {
    return null;
  }
};

interface Peer {
  id: number;
  place: number;
}

const placeOf = (adapter: string, port: string): number => Number(port) * 16 + Number(adapter);

/** `517:0/0 5:0/0` a line: who is at the other end of each of an instance's interfaces. */
const readNetmap = ({ id, ethernet, serial }: Options): Map<number, Peer> => {
  const text = read(process.env['NETIO_NETMAP'] ?? 'NETMAP')?.toString();
  if (text === undefined) return fail('NETMAP cannot be opened');
  const peers = new Map<number, Peer>();
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const [a, b] = line.split(/\s+/).map((node) => /^(\d+):(\d+)\/(\d+)$/.exec(node));
    if (a == null || b == null) return fail(`NETMAP: syntax error: ${line}`);
    const [own, other] = Number(a[1]) === id ? [a, b] : [b, a];
    if (Number(own[1]) !== id) continue;
    if (Number(own[2]) >= ethernet + serial) return fail(`NETMAP: no such interface: ${line}`);
    const peer = { id: Number(other[1]), place: placeOf(other[2] ?? '', other[3] ?? '') };
    peers.set(placeOf(own[2] ?? '', own[3] ?? ''), peer);
  }
  return peers;
};

const listen = (libc: Libc, directory: string, name: string, id: number): number => {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const lock = openSync(`${directory}/${name}.lck`, 'a', 0o600);
  if (!libc.lock(lock)) {
    closeSync(lock);
    return fail(`Application ID ${id} is in use`);
  }
  return libc.bindDatagram(`${directory}/${name}`);
};

const serveFrames = (libc: Libc, { id }: Options, peers: Map<number, Peer>): void => {
  const directory = `/tmp/netio${userInfo().uid}`;
  const fd = listen(libc, directory, `${id}`, id);
  const into = Buffer.alloc(70_000);
  const answers: { to: Buffer; message: Buffer }[] = [];
  /** false as long as the receiver of the next one has no room for it: a socket holds ten or so, and none may be lost. */
  const send = (): boolean => {
    for (let next = answers[0]; next !== undefined; next = answers[0]) {
      if (libc.send(fd, next.to, next.message) === 'full') return false;
      answers.shift();
    }
    return true;
  };
  setInterval(() => {
    if (!send()) return;
    for (let length = libc.receive(fd, into); length !== null; length = libc.receive(fd, into)) {
      const [place = 0, type] = [into[4], into[6]];
      const peer = peers.get(place);
      const frame = Buffer.from(into.subarray(8, length));
      if (into.readUInt16BE(0) !== id || type !== 1 || peer === undefined || frame.toString('latin1', 14, 17) !== 'REQ')
        continue;
      frame.write('RSP', 14);
      const header = [peer.id >> 8, peer.id & 255, id >> 8, id & 255, peer.place, place, 1, 0];
      answers.push({
        to: addressOf(`${directory}/${peer.id}`),
        message: Buffer.concat([Buffer.from(header), frame]),
      });
      if (!send()) return;
    }
  }, 3);
};

/** Answers the interfaces that sent one in the last three seconds. */
const hearKeepalives = (libc: Libc, { id, keepalives }: Options): (() => string[]) => {
  if (!keepalives) return () => [];
  const directory = `/tmp/netl1${userInfo().uid}`;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const fd = libc.bindDatagram(`${directory}/L1${id}`);
  const heard = new Map<number, number>();
  const into = Buffer.alloc(100);
  setInterval(() => {
    for (let length = libc.receive(fd, into); length !== null; length = libc.receive(fd, into))
      if (length === 8 && into[6] === 3 && into.readUInt16BE(0) === id) heard.set(into[4] ?? 0, Date.now());
  }, 20);
  return () =>
    [...heard].filter(([, at]) => Date.now() - at < 3_000).map(([place]) => `${place % 16}/${Math.floor(place / 16)}`);
};

const serveConsole = ({ id, nvram }: Options, connected: () => string[]): void => {
  const file = `nvram_${String(id).padStart(5, '0')}`;
  const commands: Record<string, () => string> = {
    '': () => '',
    'show startup-config': () => startupIn(read(file)),
    'write memory': () => {
      writeFileSync(file, savedNvram(nvram, 'hostname Saved\n\n'));
      return 'Building configuration...\n[OK]';
    },
    'show interfaces': () => `up: ${connected().sort().join(' ')}`,
    quit: () => process.exit(7),
  };
  let line = '';
  process.stdin.setEncoding('latin1');
  process.stdin.on('data', (typed: string) => {
    for (const key of typed) {
      if (key !== '\r') {
        line += key;
        say(key);
        continue;
      }
      say(`\n${commands[line]?.() ?? "% Invalid input detected at '^' marker."}\nRouter>`);
      line = '';
    }
  });
  process.stdin.once('end', () => process.exit(0));
  say('\n              Restricted Rights Legend\n\nCisco IOS Software, Linux Software\n');
  say('Press RETURN to get started!\n');
};

export const runFake = async (how: FakeImage & { name: string }): Promise<void> => {
  const options = readOptions(process.argv.slice(2), how);
  checkLicence(how);
  if (how.crashes === true) {
    writeFileSync(1, 'Unexpected exception to CPU: vector D\n');
    process.kill(process.pid, 'SIGSEGV');
  }
  const peers = readNetmap(options);
  const libc = await loadLibc();
  if (how.mute !== true) serveFrames(libc, options, peers);
  serveConsole(options, hearKeepalives(libc, options));
};
