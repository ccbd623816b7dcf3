import { homedir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { CELL_HELP, CELL_OPTIONS, type CellConfig, cellConfigOf } from '../cluster/cell-config.ts';
import { invalid } from '../common/errors.ts';
import { flagError } from '../common/forms/suggestions.ts';
import { isLoopback } from '../common/loopback.ts';
import { TOOLS_VERSION } from '../common/package.ts';
import { KIND_FLAGS, KIND_OPTIONS, type KindOptions, kindOptionsOf } from '../emulators/options.ts';
import { clientAddress } from '../http/access/client-address.ts';

/** Configuration of a server: from flags, else the environment, else defaults. */
export interface Config {
  host: string;
  /** 0 picks a free one. */
  port: number;
  dataDir: string;
  /** Directory of projects, images and symbols, which the servers of a cell can share. */
  filesDir: string;
  /** The log is in a database; null: in the data directory. */
  cell: CellConfig | null;
  /** The local server may load project files from anywhere, and its nodes may use what this machine has. */
  local: boolean;
  /** Interfaces of this machine that labs may use though the server is not local. */
  allowInterfaces: readonly string[];
  /** File of users and their passwords. */
  usersFile: string;
  /** The file was named, so that it must be there. */
  needsUsers: boolean;
  /** Others may reach the server without a password. */
  insecure: boolean;
  /** Names of this server, beside those of this machine, that requests may have in Host. */
  allowHosts: readonly string[];
  /** Origins of pages from elsewhere that may use the server. */
  allowOrigins: readonly string[];
  /** Addresses and networks of proxies, whose word about their clients' addresses is taken. */
  trustProxies: readonly string[];
  /** Address of consoles; null: that of the server, or loopback where users are asked for a password, as consoles ask nobody. */
  consoleHost: string | null;
  /** Engine wanted for a kind, by the kind's neutral token or alias. */
  engines: Readonly<Record<string, string>>;
  /** Kinds without an engine on this machine get the simulated one. */
  simulate: boolean;
  names: 'neutral' | 'gns3';
  /** Version that answers with those names carry. */
  toldVersion: string;
  /** Port of a second listener, which answers with the names that existing tools use; 0 picks a free one, null: there is none. */
  gns3Port: number | null;
  /** Directory of a compiled web client that is served as well; null: none. */
  webUi: string | null;
  consoleRange: [number, number];
  udpRange: [number, number];
  kindOptions: KindOptions;
  /** Directories with more images, as those of existing installations: the folders of kinds in each. Absolute. */
  imageDirectories: readonly string[];
  /** A node does not start with an image that has another checksum than its record; otherwise that is a warning. */
  strictImages: boolean;
  /** Checks may run commands on this machine. */
  allowScripts: boolean;
  /** Octets of the largest image that a client may bring. */
  imageBytes: number;
  keepRunning: boolean;
  resume: boolean;
  /** Other computes are connected to; otherwise all of them are left as they are. */
  computes: boolean;
  /** Milliseconds without changes after which a project file is written. */
  fileIdleMs: number;
  /** Milliseconds that a project with auto_close stays open after its last listener has left. */
  autoCloseGraceMs: number;
  /** Longest silence of a compute before it counts as away. Milliseconds. */
  computeSilenceMs: number;
  /** How the server's own log is written, and the least that it says. */
  logging: { format: 'text' | 'json'; level: 'error' | 'warn' | 'info' | 'debug' };
}

const OPTIONS = {
  host: { type: 'string' },
  port: { type: 'string' },
  'data-dir': { type: 'string' },
  files: { type: 'string' },
  ...CELL_OPTIONS,
  local: { type: 'boolean' },
  'no-local': { type: 'boolean' },
  'allow-interface': { type: 'string', multiple: true },
  users: { type: 'string' },
  insecure: { type: 'boolean' },
  'allow-host': { type: 'string', multiple: true },
  'allow-origin': { type: 'string', multiple: true },
  'trust-proxy': { type: 'string', multiple: true },
  engine: { type: 'string', multiple: true },
  simulate: { type: 'boolean' },
  names: { type: 'string' },
  'told-version': { type: 'string' },
  'gns3-port': { type: 'string' },
  'web-ui': { type: 'string' },
  'console-host': { type: 'string' },
  'console-ports': { type: 'string' },
  'udp-ports': { type: 'string' },
  images: { type: 'string', multiple: true },
  'strict-images': { type: 'boolean' },
  'allow-scripts': { type: 'boolean' },
  'image-limit': { type: 'string' },
  'keep-running': { type: 'boolean' },
  'no-resume': { type: 'boolean' },
  'no-computes': { type: 'boolean' },
  'file-idle': { type: 'string' },
  'auto-close-grace': { type: 'string' },
  'compute-silence': { type: 'string' },
  'log-format': { type: 'string' },
  'log-level': { type: 'string' },
  help: { type: 'boolean' },
} as const;

export const SERVE_HELP = `topolog serve [flags]

  --host ADDRESS          where to listen (127.0.0.1)
  --port N                0 picks a free one (3080)
  --data-dir DIR          log, projects and images (the platform’s data directory)
  --files DIR             projects, images and symbols (the data directory)
${CELL_HELP}  --local, --no-local     whether clients may use files, programs and interfaces of this machine (yes when bound to loopback)
  --allow-interface NAME  clouds may use this interface though the server is not local; repeatable
  --users FILE            who is asked for a password (DIR/users); topolog user add NAME makes it
  --insecure              listen for others without users
  --allow-host NAME       another name of this server, e.g. behind a proxy; repeatable
  --allow-origin URL      pages of this origin may use the server; repeatable
  --trust-proxy ADDRESS   a proxy, or a network of them, whose X-Forwarded-For tells who asks; repeatable
  --engine KIND=NAME      engine for a kind; repeatable
  --simulate              kinds without an engine here get the simulated one, and say so
  --names neutral|gns3    names of kinds in answers (neutral), both are always understood; gns3 tells a version of its own as well
  --told-version 2.2.N    that version: existing controllers and clients compare it with theirs (${TOOLS_VERSION})
  --gns3-port N           listen there as well, answering with the names gns3; 0 picks a free one
  --web-ui DIR            serve the compiled web client in this directory at /static/web-ui/
  --console-host ADDRESS  where consoles listen, which ask for no password (where the server does; with users 127.0.0.1)
  --console-ports A-B     TCP ports of consoles (5000-10000)
  --udp-ports A-B         UDP ports handed out for NIOs (20000-30000)
${KIND_OPTIONS.map(({ flag, value, help }) => `  ${`--${flag} ${value}`.padEnd(24)}${help}\n`).join('')}  --images DIR            more images, e.g. of another installation (~/GNS3/images); repeatable
  --allow-scripts         checks may run commands on this machine, as this user
  --strict-images         no start with an image that has another MD5 sum than the lab says, rather than a warning
  --image-limit MIB       largest image that is taken (65536)
  --keep-running          leave the lab running on a clean shutdown
  --no-resume             do not start again what ran before
  --no-computes           leave all other computes as they are, e.g. to look at a restored backup
  --file-idle MS          write a project file after this time without changes (2000)
  --compute-silence S     seconds of silence after which another compute counts as away (5)
  --auto-close-grace S    seconds that a project with auto_close stays open without listeners (5)
  --log-format FORMAT     lines of standard error: text, or json with level, time, project_id, node_id and request_id (text)
  --log-level LEVEL       the least that they say: error, warn, info or debug, which has a line of each request (info)

Environment: TOPOLOG_HOST, TOPOLOG_PORT, TOPOLOG_DATA_DIR, TOPOLOG_LOG, TOPOLOG_CELL, TOPOLOG_CELL_KEY (the key itself).
`;

export const defaultDataDir = (env: NodeJS.ProcessEnv = process.env): string => {
  if (env['TOPOLOG_DATA_DIR'] !== undefined) return path.resolve(env['TOPOLOG_DATA_DIR']);
  if (process.platform === 'win32') return path.join(env['LOCALAPPDATA'] ?? homedir(), 'topolog');
  if (process.platform === 'darwin') return path.join(homedir(), 'Library', 'Application Support', 'topolog');
  return path.join(env['XDG_DATA_HOME'] ?? path.join(homedir(), '.local', 'share'), 'topolog');
};

/** Where users are unless `--users` says otherwise. */
export const usersFileOf = (dataDir: string): string => path.join(dataDir, 'users');

const whole = (name: string, text: string, least: number, most: number): number => {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > most)
    throw invalid(`--${name} must be a number from ${least} to ${most}, not ${text}`, { field: name });
  return value;
};

const oneOf = <T extends string>(name: string, text: string, choices: readonly T[]): T => {
  const found = choices.find((choice) => choice === text);
  if (found === undefined) throw invalid(`--${name} must be ${choices.join(' or ')}, not ${text}`, { field: name });
  return found;
};

const portRange = (name: string, text: string): [number, number] => {
  const [, first, last] = /^(\d+)-(\d+)$/.exec(text) ?? [];
  if (first === undefined || last === undefined)
    throw invalid(`--${name} must be two ports, A-B, not ${text}`, { field: name });
  const range: [number, number] = [whole(name, first, 1, 65535), whole(name, last, 1, 65535)];
  if (range[0] > range[1]) throw invalid(`--${name}: ${text} ends before it begins`, { field: name });
  return range;
};

const engineChoices = (given: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    given.map((choice) => {
      const [, kind, engine] = /^([^=]+)=([^=]+)$/.exec(choice) ?? [];
      if (kind === undefined || engine === undefined)
        throw invalid(`--engine must be KIND=NAME, not ${choice}`, { field: 'engine' });
      return [kind, engine];
    }),
  );

const hostNames = (given: readonly string[]): string[] =>
  given.map((name) => {
    if (/^[\w.-]+$|^\[?[0-9a-fA-F:.]+\]?$/.test(name)) return name;
    throw invalid(`--allow-host must be a name or an address without a port, not ${name}`, { field: 'allow-host' });
  });

/** Names that the kernel allows. */
const interfaceNames = (given: readonly string[]): string[] =>
  given.map((name) => {
    if (/^[^\s/:,]{1,15}$/.test(name) && !/^\.{1,2}$/.test(name)) return name;
    throw invalid(`--allow-interface must be the name of one interface such as eth1, not ${name}`, {
      field: 'allow-interface',
    });
  });

/** A version of the line whose interface this is, as controllers refuse others. */
const toldVersion = (text: string): string => {
  if (/^2\.2\.\d{1,3}$/.test(text)) return text;
  throw invalid(`--told-version must be like ${TOOLS_VERSION}, not ${text}`, { field: 'told-version' });
};

/** As browsers write origins (RFC 6454, 6.1). */
const origins = (given: readonly string[]): string[] =>
  given.map((text) => {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url !== null && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href) return url.origin;
    throw invalid(`--allow-origin must be like https://lab.example.org, not ${text}`, { field: 'allow-origin' });
  });

const proxies = (given: readonly string[]): readonly string[] => {
  clientAddress(given);
  return given;
};

/** Reads flags; throws `invalid_request` naming the flag. Null: help was asked for. */
export const readConfig = (args: string[], env: NodeJS.ProcessEnv = process.env): Config | null => {
  const { values } = parse(args);
  if (values.help === true) return null;
  const host = values.host ?? env['TOPOLOG_HOST'] ?? '127.0.0.1';
  const names = oneOf('names', values.names ?? 'neutral', ['neutral', 'gns3']);
  if (values.local === true && values['no-local'] === true)
    throw invalid('--local and --no-local contradict each other');
  if (values['told-version'] !== undefined && names !== 'gns3' && values['gns3-port'] === undefined)
    throw invalid('--told-version needs --names gns3 or --gns3-port: only those answers carry it', {
      field: 'told-version',
    });
  const dataDir = values['data-dir'] === undefined ? defaultDataDir(env) : path.resolve(values['data-dir']);
  return Object.freeze({
    host,
    port: whole('port', values.port ?? env['TOPOLOG_PORT'] ?? '3080', 0, 65535),
    dataDir,
    filesDir: values.files === undefined ? dataDir : path.resolve(values.files),
    cell: cellConfigOf(values, env),
    local: values['no-local'] === true ? false : (values.local ?? isLoopback(host)),
    allowInterfaces: interfaceNames(values['allow-interface'] ?? []),
    usersFile: values.users === undefined ? usersFileOf(dataDir) : path.resolve(values.users),
    needsUsers: values.users !== undefined,
    insecure: values.insecure ?? false,
    allowHosts: hostNames(values['allow-host'] ?? []),
    allowOrigins: origins(values['allow-origin'] ?? []),
    trustProxies: proxies(values['trust-proxy'] ?? []),
    consoleHost: values['console-host'] ?? null,
    engines: engineChoices(values.engine ?? []),
    simulate: values.simulate ?? false,
    names,
    toldVersion: toldVersion(values['told-version'] ?? TOOLS_VERSION),
    gns3Port: values['gns3-port'] === undefined ? null : whole('gns3-port', values['gns3-port'], 0, 65535),
    webUi: values['web-ui'] === undefined ? null : path.resolve(values['web-ui']),
    consoleRange: portRange('console-ports', values['console-ports'] ?? '5000-10000'),
    udpRange: portRange('udp-ports', values['udp-ports'] ?? '20000-30000'),
    kindOptions: kindOptionsOf(values),
    imageDirectories: (values.images ?? []).map((directory) => path.resolve(directory)),
    strictImages: values['strict-images'] ?? false,
    allowScripts: values['allow-scripts'] ?? false,
    imageBytes: whole('image-limit', values['image-limit'] ?? '65536', 1, 2 ** 30) * 1024 ** 2,
    keepRunning: values['keep-running'] ?? false,
    resume: values['no-resume'] !== true,
    computes: values['no-computes'] !== true,
    fileIdleMs: whole('file-idle', values['file-idle'] ?? '2000', 0, 3_600_000),
    autoCloseGraceMs: whole('auto-close-grace', values['auto-close-grace'] ?? '5', 0, 86_400) * 1000,
    computeSilenceMs: whole('compute-silence', values['compute-silence'] ?? '5', 2, 3600) * 1000,
    logging: {
      format: oneOf('log-format', values['log-format'] ?? 'text', ['text', 'json']),
      level: oneOf('log-level', values['log-level'] ?? 'info', ['error', 'warn', 'info', 'debug']),
    },
  });
};

const parse = (args: string[]) => {
  const options = { ...OPTIONS, ...KIND_FLAGS } as typeof OPTIONS;
  try {
    return parseArgs({ args, options, strict: true, allowPositionals: false });
  } catch (error) {
    throw flagError(error, options);
  }
};
