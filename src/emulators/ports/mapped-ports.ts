import { invalid } from '../../common/errors.ts';
import type { Port, Properties } from '../kit/contract.ts';
import { ethernetPort } from './port-names.ts';

/** Kinds whose ports are listed one by one in `ports_mapping`: all on adapter 0, numbered by their place in the list. */
export const mappingOf = (properties: Properties): Record<string, unknown>[] =>
  (properties['ports_mapping'] ?? []) as Record<string, unknown>[];

export const mappedPorts = (properties: Properties, short: (index: number, name: string) => string): Port[] =>
  mappingOf(properties).map((port, index) => {
    const name = String(port['name']);
    return ethernetPort(name, 0, index, short(index, name));
  });

/** A port number given twice would be one port to its owner and two to us. */
export const noDuplicates = (properties: Properties): void => {
  const seen = new Set<unknown>();
  for (const { port_number: number } of mappingOf(properties)) {
    if (seen.has(number)) throw invalid(`ports_mapping: port_number ${String(number)} is there twice`);
    seen.add(number);
  }
};
