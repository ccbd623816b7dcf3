import type { z } from 'zod';
import { type PropertyText, type Texts, withText } from '../../common/forms/property-text.ts';

export { part, type PropertyText, type Texts } from '../../common/forms/property-text.ts';

/** Schemas with what people read of them, in the order of the texts. `needsStop`: a node that runs cannot take a change. */
export const describedProperties = (
  schemas: Readonly<Record<string, z.ZodType>>,
  texts: Texts = {},
  needsStop: (key: string) => boolean = () => false,
  unique: readonly string[] = [],
): Record<string, z.ZodType> => {
  const all = { ...texts, ...TEXTS_OF_ALL };
  const order = Object.keys(all);
  return Object.fromEntries(
    Object.entries(schemas).map(([key, schema]) => {
      const text = all[key];
      const marks = {
        'x-order': order.indexOf(key),
        ...(needsStop(key) ? { 'x-needs-stop': true } : {}),
        ...(unique.includes(key) ? { 'x-unique': true } : {}),
      };
      return [key, text === undefined ? schema : withText(schema, text, marks)];
    }),
  );
};

/** Texts of properties that every kind has. */
const TEXTS_OF_ALL: Texts = {
  engine: {
    title: 'Engine',
    help: 'What runs this node. Empty: the first one that is installed.',
    group: 'Advanced',
  },
  simulate: {
    title: 'Simulation',
    help: 'How the simulated engine behaves; the others ignore it.',
    group: 'Advanced',
  },
};

/** Texts of properties that several kinds have. */
export const USAGE: PropertyText = {
  title: 'Usage',
  help: 'Notes for people who work with this node, such as its first login.',
  widget: 'multiline',
};
export const ADAPTERS: PropertyText = {
  title: 'Adapters',
  help: 'How many network adapters it has.',
  group: 'Network',
};
export const ADAPTER_TYPE: PropertyText = {
  title: 'Adapter type',
  help: 'Model of the network adapters, as the guest sees them.',
  group: 'Network',
};
export const ON_CLOSE: PropertyText = {
  title: 'When it is stopped',
  help: 'What becomes of the machine when it is stopped.',
  options: {
    power_off: 'Power off',
    shutdown_signal: 'Ask the guest to shut down',
    save_vm_state: 'Save its state',
  },
};
export const RAM: PropertyText = { title: 'RAM', help: 'Memory of the machine.', unit: 'MB' };
export const NVRAM: PropertyText = {
  title: 'NVRAM',
  help: 'Memory that keeps the configuration.',
  unit: 'KB',
  group: 'Storage',
};
export const AUX: PropertyText = {
  title: 'Auxiliary console port',
  help: 'TCP port of its second console. Empty: none.',
  group: 'Console',
};
export const LINKED_CLONE: PropertyText = {
  title: 'Linked clone',
  help: 'The node writes into a copy of its own and leaves the image as it is.',
  group: 'Storage',
};
export const HEADLESS: PropertyText = {
  title: 'Without a window',
  help: 'The machine shows no window on the desktop of its compute.',
  group: 'Console',
};
export const ANY_ADAPTER: PropertyText = {
  title: 'Use any adapter',
  help: 'Also adapters that the machine has been set up with are taken for links.',
  group: 'Network',
};
export const ACPI: PropertyText = {
  title: 'ACPI shutdown',
  help: 'The older name of what happens when it is stopped: whether the guest is asked to shut down.',
  widget: 'none',
};
export const MD5: PropertyText = {
  title: 'MD5 sum',
  help: 'Of the image; it is checked when the image is sent to another compute.',
  group: 'Advanced',
};
export const STARTUP_CONFIG: PropertyText = {
  title: 'Startup configuration',
  help: 'What its next start reads.',
  widget: 'code',
};
export const PRIVATE_CONFIG: PropertyText = {
  title: 'Private configuration',
  help: 'Keys and certificates that its next start reads.',
  widget: 'code',
  group: 'Advanced',
};
export const PORTS: PropertyText = {
  title: 'Ports',
  help: 'Its ports, in their order. A port with a link stays.',
  group: 'Network',
};
