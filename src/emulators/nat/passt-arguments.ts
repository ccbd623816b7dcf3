import path from 'node:path';
import { joinWords, splitWords } from '../shared/process/shell-words.ts';
import { scriptOf } from './way.ts';

/** The network behind each port of a NAT node: the guest's lease, and the gateway that stands for the host. */
const GATEWAY = '192.168.122.1';
const PREFIX = 24;
/** First guest; each port leases the next, so that two guests of one node are not mistaken for one another. */
const FIRST_GUEST = 2;
const GUESTS = 250;
const MTU = 1500;

/** passt(1): serves one guest at a unix stream socket, over IPv4 only, and says no more than errors. */
export const passtArguments = (socket: string, port: number): string[] => [
  ...['-f', '-q', '-4', '-s', socket],
  ...['-a', leaseOf(port), '-n', `${PREFIX}`, '-g', GATEWAY, '-m', `${MTU}`],
];

/** The address that the guest at a port gets. */
export const leaseOf = (port: number): string => `192.168.122.${FIRST_GUEST + (port % GUESTS)}`;

/** Runs one passt for each port. */
export const natScript = (passt: string, directory: string, ports: readonly number[]): string =>
  scriptOf(ports.map((port) => joinWords([passt, ...passtArguments(socketIn(directory, port), port)])));

/** Of a script with a passt: the program, and the directory of its sockets; null for any other. */
export const partsOfScript = (script: string): { passt: string; directory: string } | null => {
  const command = /^\((.*); kill 0\) &$/m.exec(script)?.[1];
  if (command === undefined) return null;
  const words = splitWords(command, 'the script');
  const socket = words[words.indexOf('-s') + 1];
  const [passt] = words;
  return passt === undefined || socket === undefined ? null : { passt, directory: path.dirname(socket) };
};

/** Path of the socket of a port. */
export const socketIn = (directory: string, port: number): string => path.join(directory, `${port}`);

/** Without the complaints of a host that has no system log: there is one for each thing it says. */
export const withoutNoise = (output: string): string =>
  output
    .split('\n')
    .filter((line) => !/^Failed to send \d+ bytes to syslog$/.test(line))
    .join('\n')
    .trim();
