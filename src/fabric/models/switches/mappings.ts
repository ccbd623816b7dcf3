/** Circuits of frame relay and ATM switches as in project files: `{"1:101": "2:202"}`, each entry for both directions. */
import { isLmiDlci } from '../../codecs/frame-relay.ts';

export interface FrameRelayEnd {
  port: number;
  /** 1..1022 */
  dlci: number;
}

export interface AtmEnd {
  port: number;
  /** 0..4095 */
  vpi: number;
  /** 0..65535; null: every channel of the path is switched, and keeps its number. */
  vci: number | null;
}

export interface Mapping<End> {
  from: End;
  to: End;
}

const LARGEST_PORT = 0x7fff;
const LARGEST_DLCI = 1023;
const LARGEST_VPI = 4095;
const LARGEST_VCI = 0xffff;

/** Entries `"port:dlci": "port:dlci"`. Throws an Error that names the entry. */
export function parseFrameRelayMappings(mappings: unknown): Mapping<FrameRelayEnd>[] {
  return parse(mappings, (text) => {
    const [port, dlci, ...rest] = numbers(text);
    const good = port !== undefined && dlci !== undefined && rest.length === 0 && port <= LARGEST_PORT;
    if (!good || dlci > LARGEST_DLCI) return 'must be like 1:101 (port:DLCI, a DLCI from 1 to 1022)';
    return isLmiDlci(dlci) ? `has DLCI ${dlci}, which is for link management; use 1 to 1022` : { port, dlci };
  });
}

/** Entries `"port:vpi": "port:vpi"` (a path) or `"port:vpi:vci": "port:vpi:vci"` (a channel). Throws an Error that names the entry. */
export function parseAtmMappings(mappings: unknown): Mapping<AtmEnd>[] {
  const parsed = parse<AtmEnd>(mappings, (text) => {
    const [port, vpi, vci, ...rest] = numbers(text);
    const good = port !== undefined && vpi !== undefined && rest.length === 0 && port <= LARGEST_PORT;
    if (!good || vpi > LARGEST_VPI || (vci ?? 0) > LARGEST_VCI) {
      return `must be like 1:10 (port:VPI) or 1:10:100 (port:VPI:VCI), a VPI up to ${LARGEST_VPI}, a VCI up to ${LARGEST_VCI}`;
    }
    return { port, vpi, vci: vci ?? null };
  });
  const mixed = parsed.find(({ from, to }) => (from.vci === null) !== (to.vci === null));
  if (mixed !== undefined) {
    throw new Error(`mappings: ${endText(mixed.from)} and ${endText(mixed.to)} must both have a VCI or both have none`);
  }
  return parsed;
}

/** Port numbers of the mappings, in order. */
export function portsOf(mappings: Mapping<{ port: number }>[]): number[] {
  const ports = new Set(mappings.flatMap(({ from, to }) => [from.port, to.port]));
  return [...ports].sort((a, b) => a - b);
}

function parse<End extends object>(mappings: unknown, parseEnd: (text: string) => End | string): Mapping<End>[] {
  if (typeof mappings !== 'object' || mappings === null || Array.isArray(mappings)) {
    throw new Error('mappings must be an object that maps one end of a circuit to the other');
  }
  const read = (text: unknown): End => {
    const end = typeof text === 'string' ? parseEnd(text) : 'must be text';
    if (typeof end === 'string') throw new Error(`mappings: ${JSON.stringify(text)} ${end}`);
    return end;
  };
  const parsed = Object.entries(mappings).map(([from, to]) => ({ from: read(from), to: read(to) }));
  checkPartners(parsed);
  return parsed;
}

/** Each end belongs to one circuit; a mapping may also be repeated in reverse. */
function checkPartners(mappings: Mapping<object>[]): void {
  const partners = new Map<string, string>();
  for (const mapping of mappings) {
    const [from, to] = [endText(mapping.from), endText(mapping.to)];
    if (from === to) throw new Error(`mappings: ${from} leads to itself`);
    for (const [end, other] of [
      [from, to],
      [to, from],
    ] as const) {
      const known = partners.get(end) ?? other;
      if (known !== other)
        throw new Error(`mappings: ${end} leads to ${known} and to ${other}; it can lead to one only`);
      partners.set(end, other);
    }
  }
}

const endText = (end: object): string =>
  Object.values(end)
    .filter((part) => part !== null)
    .join(':');

/** The parts of `1:2:3`; empty when one is not a whole number. */
function numbers(text: string): number[] {
  const parts = text.split(':');
  return parts.every((part) => /^\d{1,5}$/.test(part)) ? parts.map(Number) : [];
}
