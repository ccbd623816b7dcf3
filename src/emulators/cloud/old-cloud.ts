import type { Properties } from '../kit/contract.ts';
import type { FromOld, OldForm, OldNode, PortNumber } from '../kit/old-nodes.ts';

/** Clouds before revision 5: what a port leads to was its name. A host was a cloud of all interfaces of its author's machine. */
export const oldCloud: OldForm = {
  types: ['Cloud', 'Host'],
  convert(node) {
    const names = namesOf(node);
    const mapping: Properties[] = [];
    const ends: (PortNumber | null)[] = [];
    const apart: { port: number; type: string }[] = [];
    const warnings: string[] = [];
    for (const [port, name] of names.entries()) {
      const entry = entryOf(name, mapping.length);
      const translated = name.startsWith('nio_nat:');
      ends.push(entry === null ? null : { adapter_number: 0, port_number: mapping.length });
      if (entry !== null) mapping.push(entry);
      else if (translated) apart.push({ port, type: 'nio_nat' });
      else
        warnings.push(
          `its port ${JSON.stringify(name.slice(0, 80))} leads where no port can lead any more; it was left out`,
        );
    }
    return {
      properties: { ports_mapping: mapping },
      symbol: node.type === 'Host' ? ':/symbols/computer.svg' : ':/symbols/cloud.svg',
      ends,
      apart,
      warnings,
    } satisfies FromOld;
  },
};

/** Of its ports; of `nios` where the file lists no ports. */
const namesOf = ({ ports, properties: { nios } }: OldNode): string[] => {
  if (ports.length > 0) return ports.map(({ name }) => name);
  return Array.isArray(nios) ? nios.filter((one) => typeof one === 'string') : [];
};

const TYPES: Readonly<Record<string, string>> = { nio_gen_eth: 'ethernet', nio_gen_linux: 'ethernet', nio_tap: 'tap' };

/** null: no port of today can be it. */
const entryOf = (text: string, port_number: number): Properties | null => {
  const [, nio = '', rest = ''] = /^(\w+):(.+)$/.exec(text) ?? [];
  const type = TYPES[nio];
  if (type !== undefined) return { type, interface: rest, name: rest, port_number };
  // The host may be an IPv6 address.
  const [, lport, rhost, rport] = (nio === 'nio_udp' && /^(\d{1,5}):(.+):(\d{1,5})$/.exec(rest)) || [];
  if (!isPort(lport) || rhost === undefined || !isPort(rport)) return null;
  return {
    type: 'udp',
    name: `UDP tunnel ${port_number + 1}`,
    lport: Number(lport),
    rhost: rhost.replace(/^\[(.*)\]$/, '$1'),
    rport: Number(rport),
    port_number,
  };
};

const isPort = (text: string | undefined): boolean => Number(text) >= 1 && Number(text) <= 65535;
