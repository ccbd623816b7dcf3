import { invalid, messageOf } from '../../common/errors.ts';
import { type Mapping, portsOf } from '../../fabric/models/switches/mappings.ts';
import { ALWAYS_ON, type KindDefinition } from '../kit/define-kind.ts';
import { embeddedEngine } from '../kit/embedded-engine.ts';
import { field, tableOf, word } from '../kit/fields.ts';
import { serialPort } from './ports.ts';

/** How a kind of switch reads its table of circuits. */
interface Circuits {
  /** Name of the fabric's model. */
  model: string;
  /** Parser of the table, the one of the model. */
  parse: (mappings: unknown) => Mapping<{ port: number }>[];
  /** Link types of captures at its ports. */
  linkTypes: Record<string, string>;
  /** Its name in old project files. */
  oldType: string;
}

const joinedTo = (into: number, a: number, b: number): number[] => (a === into ? [b] : b === into ? [a] : []);

/** A switch of circuits: its ports are the numbers that occur in its table, `mappings`. */
export const circuitSwitch = ({ model, parse, linkTypes, oldType }: Circuits) =>
  ({
    capabilities: { ...ALWAYS_ON, filters: false, nio_update: false },
    fields: { mappings: field(tableOf(word, word), {}) },
    texts: {
      mappings: {
        title: 'Circuits',
        help: 'Which circuit leads to which, as port:circuit on both sides.',
        group: 'Network',
      },
    },
    shown: [],
    hot: ['mappings'],
    settle: ({ mappings }) => {
      // Refuses what the switch would refuse.
      try {
        parse(mappings);
      } catch (error) {
        throw invalid(messageOf(error), { field: 'mappings' });
      }
    },
    ports: ({ mappings }) => portsOf(parse(mappings)).map((number) => serialPort(String(number), 0, number, linkTypes)),
    forwarding: ({ name, properties, ports }) => ({
      by: 'frames',
      pass: ({ port_number: into, frame }, linked) => {
        const joined = new Set(
          parse(properties['mappings']).flatMap(({ from, to }) => joinedTo(into, from.port, to.port)),
        );
        return ports
          .filter((port) => port.port_number !== into && linked(port))
          .map(({ adapter_number, port_number }) => ({
            adapter_number,
            port_number,
            frame,
            ...(joined.has(port_number)
              ? {}
              : { kept: `${name} has no circuit from port ${into} to port ${port_number}` }),
          }));
      },
    }),
    old: {
      types: [oldType],
      // The numbers of their ports were those of the table already.
      convert: ({ properties, ports }) => ({
        properties,
        ends: ports.map(({ number }) => (number === null ? undefined : { adapter_number: 0, port_number: number })),
      }),
    },
    engines: [embeddedEngine({ model, config: ({ properties: { mappings } }) => ({ mappings }) })],
  }) satisfies Partial<KindDefinition>;
