import { invalid, messageOf } from '../../common/errors.ts';
import { type Mapping, portsOf } from '../../fabric/models/switches/mappings.ts';
import type { Port, Properties } from '../kit/contract.ts';
import type { OldForm } from '../kit/old-nodes.ts';
import { serialPort } from './port-names.ts';

/** Tables of switched circuits, read by the same parser as the switch that runs them. */
export type ParseMappings = (mappings: unknown) => Mapping<{ port: number }>[];

/** Refuses a table that the switch would refuse. */
export const checkMappings = (properties: Properties, parse: ParseMappings): void => {
  try {
    parse(properties['mappings']);
  } catch (error) {
    throw invalid(messageOf(error), { field: 'mappings' });
  }
};

/** Old switches of circuits: the numbers of their ports were those of the table already. */
export const oldCircuitSwitch = (type: string): OldForm => ({
  types: [type],
  convert: ({ properties, ports }) => ({
    properties,
    ends: ports.map(({ number }) => (number === null ? undefined : { adapter_number: 0, port_number: number })),
  }),
});

/** One serial port for each port number that occurs. */
export const circuitPorts = (properties: Properties, parse: ParseMappings, types: Record<string, string>): Port[] =>
  portsOf(parse(properties['mappings'])).map((number) => serialPort(String(number), 0, number, types));
