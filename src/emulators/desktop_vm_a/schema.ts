import { z } from 'zod';
import { field, type Fields, filled, int, required, text } from '../kit/fields.ts';

export const fields: Fields = {
  /** Name of the machine inside the hypervisor. */
  vmname: required(filled),
  adapter_type: field(filled, 'Intel PRO/1000 MT Desktop (82540EM)'),
  adapters: field(int(0, 36), 1),
  headless: field(z.boolean(), false),
  linked_clone: field(z.boolean(), false),
  on_close: field(z.enum(['power_off', 'shutdown_signal', 'save_vm_state']), 'power_off'),
  /** Megabytes; 0 leaves what the hypervisor has. */
  ram: field(int(0, 65535), 0),
  usage: field(text, ''),
  use_any_adapter: field(z.boolean(), false),
};
