import { z } from 'zod';
import { invalid } from '../errors.ts';
import type { Port, Properties } from './contract.ts';
import { serialPort } from './port-names.ts';

/** Tables of switched circuits: `source` to `destination`, each `port:...`; the way back is meant as well. */
export const mappingsOf = (properties: Properties): Record<string, string> =>
  (properties['mappings'] ?? {}) as Record<string, string>;

/** A table whose ends match a pattern; `example` shows one of them. */
export const mappingsSchema = (end: RegExp, example: string): z.ZodType => {
  const schema = z.string().regex(end, `must be like ${example}`);
  return z.record(schema, schema);
};

/** One serial port for each number that occurs. */
export const circuitPorts = (properties: Properties, types: Record<string, string>): Port[] => {
  const ends = Object.entries(mappingsOf(properties)).flat();
  const numbers = new Set(ends.map((end) => Number(end.split(':')[0])));
  return [...numbers].sort((a, b) => a - b).map((number) => serialPort(String(number), 0, number, types));
};

/** A circuit can lead to one place only: each end occurs once, a mapping and its reverse counting as one. */
export const checkCircuits = (properties: Properties, within: (numbers: number[]) => string | null): void => {
  const partner = new Map<string, string>();
  for (const [from, to] of Object.entries(mappingsOf(properties))) {
    for (const end of [from, to]) {
      const wrong = within(end.split(':').map(Number));
      if (wrong !== null) throw invalid(`mappings: ${end}: ${wrong}`, { field: 'mappings' });
    }
    if (from === to) throw invalid(`mappings: ${from} leads to itself`, { field: 'mappings' });
    for (const [end, other] of [[from, to] as const, [to, from] as const]) {
      const known = partner.get(end);
      if (known !== undefined && known !== other)
        throw invalid(`mappings: ${end} leads to ${known} and to ${other}`, { field: 'mappings' });
      partner.set(end, other);
    }
  }
};
