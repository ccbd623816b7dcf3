import { z } from 'zod';
import type { KindDefinition } from '../../kit/define-kind.ts';
import { acpiDerived, acpiInput, field, type Fields, filled, int, settleOnClose, text } from '../../kit/fields.ts';
import { leaving, withLinkedClone } from '../../kit/old-nodes.ts';
import {
  ACPI,
  ADAPTER_TYPE,
  ADAPTERS,
  ANY_ADAPTER,
  HEADLESS,
  LINKED_CLONE,
  ON_CLOSE,
  type Texts,
  USAGE,
} from '../../kit/texts.ts';
import { adapterPorts } from '../../ports/ports.ts';

/** The parts of a kind whose nodes are machines of a hypervisor of this desktop. `oldType`: their name in old project files. */
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

/** Fields of such a kind behind the one that names its machine; `own` stand where records have always had them. */
export const desktopFields = (adapterType: string, mostAdapters: number, own: Fields = {}): Fields => ({
  adapter_type: field(filled, adapterType),
  adapters: field(int(0, mostAdapters), 1),
  headless: field(z.boolean(), false),
  linked_clone: field(z.boolean(), false),
  on_close: field(z.enum(['power_off', 'shutdown_signal', 'save_vm_state']), 'power_off'),
  ...own,
  usage: field(text, ''),
  use_any_adapter: field(z.boolean(), false),
});

/** Texts of these fields, in the same order. */
export const desktopTexts = (own: Texts = {}): Texts => ({
  adapter_type: ADAPTER_TYPE,
  adapters: ADAPTERS,
  headless: HEADLESS,
  linked_clone: LINKED_CLONE,
  on_close: ON_CLOSE,
  ...own,
  usage: USAGE,
  use_any_adapter: ANY_ADAPTER,
  acpi_shutdown: ACPI,
});
