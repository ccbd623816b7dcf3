import type { Properties } from '../../kit/contract.ts';

type OnClose = 'power_off' | 'shutdown_signal' | 'save_vm_state';

/** Completed properties that both types of desktop machines have. */
export interface DesktopSettings {
  adapters: number;
  adapterType: string;
  headless: boolean;
  linkedClone: boolean;
  useAnyAdapter: boolean;
  onClose: OnClose;
}

export const desktopSettings = (properties: Properties): DesktopSettings => {
  const onClose = properties['on_close'];
  return {
    adapters: Number(properties['adapters'] ?? 0),
    adapterType: String(properties['adapter_type']),
    headless: properties['headless'] === true,
    linkedClone: properties['linked_clone'] === true,
    useAnyAdapter: properties['use_any_adapter'] === true,
    onClose: onClose === 'shutdown_signal' || onClose === 'save_vm_state' ? onClose : 'power_off',
  };
};
