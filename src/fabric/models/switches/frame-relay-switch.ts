import { decodeLmi, encodeLmi, isLmiDlci, readDlci, withDlci } from '../../codecs/frame-relay.ts';
import type { Model, ModelContext } from '../../process/model.ts';
import type { NodeSpec } from '../../protocol.ts';
import { type FrameRelayEnd, parseFrameRelayMappings } from './mappings.ts';

const FULL_STATUS = 0;

/** Destination by port and DLCI. */
type Circuits = Map<number, Map<number, FrameRelayEnd>>;

/**
 * Switches by DLCI and answers the routers' status enquiries (ANSI, Q.933 and Cisco LMI, told apart by the enquiry), on each port with its own DLCIs.
 * Settings: `{mappings: {"port:dlci": "port:dlci"}}`.
 */
export function frameRelaySwitch(context: ModelContext): Model {
  let circuits = circuitsOf(context.spec);
  let adapters = adaptersOf(context.spec);
  /** Our last sequence number on each port. */
  const sequences = new Map<number, number>();

  const send = (port: number, frame: Uint8Array): void => context.send(adapters.get(port) ?? 0, port, frame);

  function answerEnquiry(port: number, frame: Uint8Array): void {
    const enquiry = decodeLmi(frame);
    if (enquiry?.message !== 'status_enquiry') return;
    // 1 to 255: 0 means "nothing received yet".
    const sendSequence = ((sequences.get(port) ?? 0) % 255) + 1;
    sequences.set(port, sendSequence);
    const dlcis = enquiry.report === FULL_STATUS ? [...(circuits.get(port)?.keys() ?? [])].sort((a, b) => a - b) : [];
    const { type, report, sendSequence: receiveSequence } = enquiry;
    send(port, encodeLmi({ type, message: 'status', report, sendSequence, receiveSequence, active: dlcis }));
  }

  return {
    receive(_adapter, port, frame) {
      const dlci = readDlci(frame);
      if (dlci === null) return;
      if (isLmiDlci(dlci)) return answerEnquiry(port, frame);
      const to = circuits.get(port)?.get(dlci);
      if (to !== undefined) send(to.port, to.dlci === dlci ? frame : withDlci(frame, to.dlci));
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
  const circuits: Circuits = new Map();
  const add = (from: FrameRelayEnd, to: FrameRelayEnd): void => {
    const ofPort = circuits.get(from.port) ?? new Map<number, FrameRelayEnd>();
    circuits.set(from.port, ofPort.set(from.dlci, to));
  };
  for (const { from, to } of parseFrameRelayMappings(spec.config['mappings'] ?? {})) {
    add(from, to);
    add(to, from);
  }
  return circuits;
}

const adaptersOf = (spec: NodeSpec): Map<number, number> =>
  new Map(spec.ports.map((port) => [port.port_number, port.adapter_number]));
