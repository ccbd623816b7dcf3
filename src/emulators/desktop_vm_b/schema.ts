import { z } from 'zod';
import { field, type Fields, filled, int, required, text } from '../kit/fields.ts';

export const fields: Fields = {
  /** Path of the machine's definition file. */
  vmx_path: required(filled),
  adapter_type: field(filled, 'e1000'),
  adapters: field(int(0, 10), 1),
  headless: field(z.boolean(), false),
  linked_clone: field(z.boolean(), false),
  on_close: field(z.enum(['power_off', 'shutdown_signal', 'save_vm_state']), 'power_off'),
  usage: field(text, ''),
  use_any_adapter: field(z.boolean(), false),
};
