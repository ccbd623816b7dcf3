import { ATM_CELL, decodeAtmCell, encodeAtmCell } from '../../codecs/atm-cell.ts';
import type { Model, ModelContext } from '../../process/model.ts';
import type { NodeSpec } from '../../protocol.ts';
import { type AtmEnd, parseAtmMappings } from './mappings.ts';

/** Key of a circuit: `port:vpi` or `port:vpi:vci`. */
type Circuits = Map<string, AtmEnd>;

/**
 * Switches ATM cells by path and channel, or by path alone; a channel's own mapping comes before that of its path.
 * A frame here is one raw cell of 53 bytes, header checksum included, as router emulators exchange them; a frame that holds
 * several cells is taken as well, and leaves as one frame a cell.
 * Settings: `{mappings: {"port:vpi": "port:vpi", "port:vpi:vci": "port:vpi:vci"}}`.
 */
export function atmSwitch(context: ModelContext): Model {
  let circuits = circuitsOf(context.spec);
  let adapters = adaptersOf(context.spec);

  function switchCell(port: number, bytes: Uint8Array): void {
    const cell = decodeAtmCell(bytes);
    if (cell === null) return;
    const to = circuits.get(`${port}:${cell.vpi}:${cell.vci}`) ?? circuits.get(`${port}:${cell.vpi}`);
    if (to === undefined) return;
    const frame = encodeAtmCell({ ...cell, vpi: to.vpi, vci: to.vci ?? cell.vci });
    context.send(adapters.get(to.port) ?? 0, to.port, frame);
  }

  return {
    receive(_adapter, port, frame) {
      if (frame.length % ATM_CELL !== 0) return;
      for (let at = 0; at < frame.length; at += ATM_CELL) switchCell(port, frame.subarray(at, at + ATM_CELL));
    },
    configure(spec) {
      circuits = circuitsOf(spec);
      adapters = adaptersOf(spec);
    },
    console: null,
    stop: () => undefined,
  };
}

function circuitsOf(spec: NodeSpec): Circuits {
  const key = ({ port, vpi, vci }: AtmEnd): string => (vci === null ? `${port}:${vpi}` : `${port}:${vpi}:${vci}`);
  const mappings = parseAtmMappings(spec.config['mappings'] ?? {});
  return new Map(
    mappings.flatMap(({ from, to }) => [
      [key(from), to],
      [key(to), from],
    ]),
  );
}

const adaptersOf = (spec: NodeSpec): Map<number, number> =>
  new Map(spec.ports.map((port) => [port.port_number, port.adapter_number]));
