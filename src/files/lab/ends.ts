import type { Port } from '../../emulators/kit/contract.ts';
import type { LabEnd } from './model.ts';

/** Parses `SW1:3`: a node, and its port after the last colon. */
export const endOf = (text: string): LabEnd => {
  const colon = text.lastIndexOf(':');
  return colon <= 0 ? { node: text } : { node: text.slice(0, colon), port: text.slice(colon + 1) };
};

export const endText = ({ node, port }: LabEnd): string =>
  port !== undefined ? `${node}:${port}` : node.includes(':') ? `${node}:0` : node;

/** Port of an end; undefined: none. A name has priority over `adapter/port`, and that over an index. */
export const portNamed = (ports: readonly Port[], wanted: string | undefined): Port | undefined => {
  if (wanted === undefined) return ports.length === 1 ? ports[0] : undefined;
  const low = wanted.toLowerCase();
  const byName = ports.find(({ name, short_name }) => name.toLowerCase() === low || short_name.toLowerCase() === low);
  if (byName !== undefined) return byName;
  const [, adapter, port] = /^(\d+)\/(\d+)$/.exec(wanted) ?? [];
  if (adapter !== undefined)
    return ports.find((one) => one.adapter_number === Number(adapter) && one.port_number === Number(port));
  return /^\d+$/.test(wanted) ? ports[Number(wanted)] : undefined;
};

/**
 * Text of a port: the name that a user gave it, its index where ports are numbered plainly, otherwise its short name.
 */
export const portText = (ports: readonly Port[], port: Port): string => {
  const place = ports.indexOf(port);
  const number = Math.max(port.adapter_number, port.port_number);
  const isPlain = number === place && Math.min(port.adapter_number, port.port_number) === 0;
  const isGiven = !/\d$/.test(port.name);
  const texts = [...(isGiven ? [port.name] : []), ...(isPlain ? [String(place)] : []), port.short_name, port.name];
  return texts.find((text) => portNamed(ports, text) === port) ?? `${port.adapter_number}/${port.port_number}`;
};
