import type { KindNode, Properties } from '../kit/contract.ts';
import { defineKind } from '../kit/define-kind.ts';
import { embeddedEngine } from '../kit/embedded-engine.ts';
import { numberOf } from '../kit/fields.ts';
import { ethernetPort } from '../ports/ports.ts';
import { destinationOf, fields, startBody } from './schema.ts';
import { SYSTEM_TRACE } from './system-engine.ts';
import { texts } from './texts.ts';

export const traceTool = defineKind({
  name: 'trace_tool',
  titles: { de: 'Trace-Werkzeug' },
  alias: 'traceng',
  directory: 'traceng',
  capabilities: { console_types: ['none'], start_answers_record: true },
  look: { symbol: ':/symbols/traceng.svg', name: 'Trace{0}' },
  template: { builtin: 'TraceNG', category: 'guest' },
  fields,
  texts,
  shown: ['console', 'node_directory', 'command_line'],
  hot: ['default_destination'],
  startBody,
  ports: () => [ethernetPort('Ethernet0', 0, 0)],
  engines: [
    embeddedEngine({
      model: 'trace_tool',
      config: traceConfig,
      recall: ({ destination }) => (typeof destination === 'string' ? { destination } : {}),
    }),
    SYSTEM_TRACE,
  ],
});

/** Destination and source of a start. */
function traceConfig(node: KindNode, args: Properties): Record<string, unknown> {
  const { ip_address } = node.properties;
  return {
    destination: destinationOf(node, args),
    ip_address: ip_address === '' ? linkLocal(node.node_id) : ip_address,
  };
}

/** Address of a node that has been given none (RFC 3927): it reaches what is on its own link. */
function linkLocal(nodeId: string): string {
  const number = numberOf(nodeId, 254 * 254) - 1;
  return `169.254.${1 + Math.floor(number / 254)}.${1 + (number % 254)}/16`;
}
