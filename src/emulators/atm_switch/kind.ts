import { parseAtmMappings } from '../../fabric/models/switches/mappings.ts';
import { defineKind } from '../kit/define-kind.ts';
import { circuitSwitch } from '../ports/circuit-switch.ts';
import { ATM } from '../ports/ports.ts';

/** Its mappings: `port:vpi` to `port:vpi` (a whole path) or `port:vpi:vci` to `port:vpi:vci` (one channel). */
export const atmSwitch = defineKind({
  name: 'atm_switch',
  titles: { de: 'ATM-Switch' },
  directory: 'dynamips',
  look: { symbol: ':/symbols/atm_switch.svg', name: 'ATMSW{0}' },
  template: { builtin: 'ATM switch', category: 'switch' },
  ...circuitSwitch({ model: 'atm_switch', parse: parseAtmMappings, linkTypes: ATM, oldType: 'ATMSwitch' }),
});
