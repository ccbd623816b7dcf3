import type { KindDefinition } from '../../kit/define-kind.ts';
import { leaving, withLinkedClone } from '../../kit/old-nodes.ts';
import { acpiDerived, acpiInput, settleOnClose } from '../../kit/fields.ts';
import { adapterPorts } from '../../ports/port-names.ts';

/** What kinds have in common whose nodes are machines of a hypervisor of this desktop. `oldType`: their name in old project files. */
export const desktopKind = (oldType: string) =>
  ({
    capabilities: {
      suspend: true,
      duplicate: false,
      portable: false,
      adapter_only: true,
      console_types: ['telnet', 'none'],
    },
    template: { category: 'guest', nameFormat: '{name}-{0}', ports: 'named' },
    inputs: acpiInput,
    derived: acpiDerived,
    shown: ['console', 'node_directory'],
    hot: ['on_close'],
    settle: settleOnClose,
    ports: ({ adapters, adapter_type }, naming) =>
      adapterPorts(naming, { adapters: Number(adapters), adapterType: String(adapter_type) }),
    old: {
      types: [oldType],
      convert: (node) => ({ properties: leaving(withLinkedClone(node), ['enable_remote_console']) }),
    },
  }) satisfies Partial<KindDefinition>;
