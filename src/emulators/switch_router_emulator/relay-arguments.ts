import { parseArgs } from 'node:util';

/** Parameters of a relay; its arguments say all of it, so that a later server can read it from a running one. */
export interface RelayPlan {
  /** Directory of its sockets: see run-directory.ts. Its working directory is the node's. */
  directory: string;
  applicationId: number;
  ports: { adapter_number: number; port_number: number }[];
  keepalives: boolean;
  /** The image, which is what is run, and its arguments. */
  command: string[];
}

export const relayArguments = ({ directory, applicationId, ports, keepalives, command }: RelayPlan): string[] => [
  ...['--directory', directory, '--id', `${applicationId}`],
  ...['--ports', ports.map((port) => `${port.adapter_number}/${port.port_number}`).join(',')],
  ...(keepalives ? ['--keepalives'] : []),
  '--',
  ...command,
];

/** null when they are none of a relay. */
export const readRelayArguments = (args: readonly string[]): RelayPlan | null => {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        directory: { type: 'string' },
        id: { type: 'string' },
        ports: { type: 'string' },
        keepalives: { type: 'boolean', default: false },
      },
    });
    const { directory, id, ports, keepalives } = values;
    const applicationId = Number(id);
    if (directory === undefined || ports === undefined || !Number.isInteger(applicationId)) return null;
    if (positionals.length === 0) return null;
    return { directory, applicationId, ports: readPorts(ports), keepalives, command: positionals };
  } catch {
    return null;
  }
};

const readPorts = (text: string): RelayPlan['ports'] =>
  text
    .split(',')
    .filter((place) => place !== '')
    .map((place) => {
      const [adapter_number = 0, port_number = 0] = place.split('/').map(Number);
      return { adapter_number, port_number };
    });
