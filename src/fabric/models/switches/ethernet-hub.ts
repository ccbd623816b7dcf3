import type { Model, ModelContext } from '../../process/model.ts';

/** Repeats each frame at every other port. */
export function ethernetHub(context: ModelContext): Model {
  let { ports } = context.spec;
  return {
    receive(adapter, number, frame) {
      for (const port of ports) {
        if (port.port_number !== number || port.adapter_number !== adapter) {
          context.send(port.adapter_number, port.port_number, frame);
        }
      }
    },
    configure(spec) {
      ({ ports } = spec);
    },
    console: null,
    stop: () => undefined,
  };
}
