import path from 'node:path';
import { conflict } from '../../common/errors.ts';
import type { KindNode, Properties } from '../kit/contract.ts';
import { asWritten, type FillIn, variablesOf } from '../shared/placeholders.ts';
import { splitWords } from '../shared/process/shell-words.ts';
import { LABELS } from './containers.ts';

/** Log of a container's helpers. */
export const logOf = ({ node_directory }: Pick<KindNode, 'node_directory'>): string =>
  path.join(node_directory ?? '', 'docker.log');

/** A container's settings as the record has them, taken apart. */
export interface Settings {
  /** Name with a tag or a digest. */
  image: string;
  /** null: what the image starts. */
  command: string[] | null;
  /** null: that of the image. */
  entrypoint: string[] | null;
  /** Empty: that of the image. */
  user: string;
  capabilities: string[];
  /** Has everything that network systems are published with. */
  privileged: boolean;
  sysctls: Record<string, string>;
  environment: string[];
  /** Lines of the environment that set nothing. */
  odd: string[];
  extraHosts: string[];
  /** Absolute paths in the container. */
  volumes: string[];
  adapters: number;
  http: { port: number; path: string };
  /** Ports of this machine, and those of the container that they lead to. `protocol` absent: tcp. */
  published: { port: number; to: number; protocol?: 'tcp' | 'udp' }[];
}

/** Throws a conflict that names what cannot be used. `fill`: replaces placeholders, word by word. */
export const settingsOf = (properties: Properties, fill: FillIn = asWritten): Settings => {
  const text = (key: string): string => textIn(properties, key);
  const words = (key: string): string[] => splitWords(text(key), key).map((word) => fill(word, key));
  const [command, entrypoint] = [words('start_command'), words('entrypoint')];
  const lines = linesOf(text('environment'));
  return {
    image: withTag(text('image').trim()),
    command: command.length === 0 ? null : command,
    entrypoint: entrypoint.length === 0 ? null : entrypoint,
    user: text('user'),
    capabilities: (properties['capabilities'] as string[] | undefined) ?? [],
    privileged: properties['network_system'] === true,
    sysctls: (properties['sysctls'] as Record<string, string> | undefined) ?? {},
    environment: lines.filter(isVariable).map((line) => fill(line, 'environment')),
    odd: lines.filter((line) => !isVariable(line)),
    extraHosts: linesOf(text('extra_hosts'))
      .map((line) => fill(line, 'extra_hosts').replace(/(?<!\s)\s*:\s*/, ':'))
      .map(checkedHost),
    volumes: [...new Set(((properties['extra_volumes'] as string[] | undefined) ?? []).map(volumePath))],
    adapters: Number(properties['adapters'] ?? 0),
    http: { port: Number(properties['console_http_port'] ?? 80), path: text('console_http_path') },
    published: (properties['published'] as Settings['published'] | undefined) ?? [],
  };
};

/** `NAME=value`. Podman would take a name alone, or `*`, from the environment of its service. */
const isVariable = (line: string): boolean => /^[^=\0]+=/.test(line);

const linesOf = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

const checkedHost = (line: string): string => {
  if (/^[^\s:]+:[0-9a-fA-F.:]+$/.test(line)) return line;
  throw conflict(`extra_hosts: each line must be like host:address, not ${line}`, { field: 'extra_hosts' });
};

/** Docker's own rule: without a tag it is `latest`. */
const withTag = (image: string): string =>
  /[:@]/.test(image.slice(image.lastIndexOf('/') + 1)) ? image : `${image}:latest`;

/** A path that can be kept, or null. */
export const keptPath = (given: string): string | null => {
  const path = given.replace(/\/+/g, '/').replace(/(.)\/$/, '$1');
  const parts = path.split('/');
  return path.startsWith('/') && path !== '/' && !parts.some((part) => part === '..' || part === '.') ? path : null;
};

const volumePath = (given: string): string => {
  const path = keptPath(given);
  if (path !== null) return path;
  throw conflict(`extra_volumes: ${given} must be an absolute path of the container, without .. and not /`, {
    field: 'extra_volumes',
  });
};

export interface Mount {
  Type: 'bind';
  /** On this machine. */
  Source: string;
  Target: string;
  ReadOnly: boolean;
}

/** Capabilities beside the service's usual ones: a node of a lab sets up its own network. */
const GIVEN = ['NET_ADMIN', 'NET_RAW'];

/** Containers forward without a word where their machine does, as with Docker; here they do anywhere. It is their own network. */
const ROUTING = { 'net.ipv4.ip_forward': '1' };

/** Body of `POST /containers/create`. */
export const creationOf = (
  node: KindNode,
  settings: Settings,
  mark: string,
  given: FirstProgram,
): Record<string, unknown> => ({
  Image: settings.image,
  Hostname: hostname(node.name),
  ...(given.entrypoint === null ? {} : { Entrypoint: given.entrypoint }),
  ...(given.command === null ? {} : { Cmd: given.command }),
  ...(settings.user === '' ? {} : { User: settings.user }),
  Env: environmentOf(node, settings),
  Tty: true,
  OpenStdin: true,
  StdinOnce: false,
  Labels: { [LABELS.node]: node.node_id, [LABELS.project]: node.project_id, [LABELS.data]: mark },
  HostConfig: {
    // Its adapters are the lab's alone.
    NetworkMode: 'none',
    ...(settings.privileged ? { Privileged: true } : {}),
    CapAdd: [...new Set([...GIVEN, ...settings.capabilities])],
    Sysctls: { ...ROUTING, ...settings.sysctls },
    ExtraHosts: settings.extraHosts,
    Mounts: given.mounts,
  },
});

/** The node's own come after those of the project: the last of two with the same name counts. */
const environmentOf = (node: KindNode, { environment }: Settings): string[] => {
  const lines = [...variablesOf(node).map(([name, value]) => `${name}=${value}`), ...environment];
  return [...new Map(lines.map((line) => [line.slice(0, line.indexOf('=')), line])).values()];
};

export interface FirstProgram {
  entrypoint: string[] | null;
  command: string[] | null;
  mounts: Mount[];
}

/** Letters, digits and hyphens, at most 63 (RFC 1123, 2.1). */
const hostname = (name: string): string =>
  name
    .replace(/[^0-9A-Za-z-]+/g, '-')
    .slice(0, 63)
    .replace(/^-+|(?<!-)-+$/g, '') || 'container';

/** The command of `docker run` for people to read. */
export const commandLineOf = ({ properties }: KindNode): string =>
  ['docker run -it --network none', textIn(properties, 'image'), textIn(properties, 'start_command')]
    .filter((part) => part !== '')
    .join(' ');

const textIn = (properties: Properties, key: string): string =>
  typeof properties[key] === 'string' ? properties[key] : '';
