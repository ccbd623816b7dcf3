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
} from '../kit/texts.ts';

export const texts: Texts = {
  vmx_path: { title: 'Definition file', help: 'Path of the machine’s definition on its compute.' },
  adapter_type: ADAPTER_TYPE,
  adapters: ADAPTERS,
  headless: HEADLESS,
  linked_clone: LINKED_CLONE,
  on_close: ON_CLOSE,
  usage: USAGE,
  use_any_adapter: ANY_ADAPTER,
  acpi_shutdown: ACPI,
};
