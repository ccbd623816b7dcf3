import {
  ACPI,
  ADAPTER_TYPE,
  ADAPTERS,
  ANY_ADAPTER,
  HEADLESS,
  LINKED_CLONE,
  ON_CLOSE,
  RAM,
  type Texts,
  USAGE,
} from '../kit/texts.ts';

export const texts: Texts = {
  vmname: { title: 'Machine', help: 'Its name inside the hypervisor.' },
  adapter_type: ADAPTER_TYPE,
  adapters: ADAPTERS,
  headless: HEADLESS,
  linked_clone: LINKED_CLONE,
  on_close: ON_CLOSE,
  ram: { ...RAM, help: 'Memory of the machine. 0: as the hypervisor has it.' },
  usage: USAGE,
  use_any_adapter: ANY_ADAPTER,
  acpi_shutdown: ACPI,
};
