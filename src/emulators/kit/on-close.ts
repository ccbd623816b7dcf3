import { z } from 'zod';
import type { Properties } from './contract.ts';

/**
 * What happens to a machine that is stopped has two names on the wire: `on_close`, which is kept, and the older
 * `acpi_shutdown`, which says whether `on_close` is `shutdown_signal`. Given together they may contradict one another in a
 * record put back with one of them changed; `acpi_shutdown` wins, as it is never kept.
 */
export const acpiInput = { acpi_shutdown: z.boolean().nullable() };

export const acpiDerived = {
  acpi_shutdown: {
    schema: z.boolean(),
    value: (properties: Properties): unknown => properties['on_close'] === 'shutdown_signal',
  },
};

export const settleOnClose = (properties: Properties, given: Properties): void => {
  const wanted = given['acpi_shutdown'];
  if (typeof wanted !== 'boolean' || wanted === (properties['on_close'] === 'shutdown_signal')) return;
  properties['on_close'] = wanted ? 'shutdown_signal' : 'power_off';
};
