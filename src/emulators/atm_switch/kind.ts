import { parseAtmMappings } from '../../fabric/models/switches/mappings.ts';
import { defineKind } from '../kit/define-kind.ts';
import { circuitSwitch } from '../ports/circuit-mappings.ts';
import { ATM } from '../ports/port-names.ts';
import { fields } from './schema.ts';

export const atmSwitch = defineKind({
  name: 'atm_switch',
  look: { symbol: ':/symbols/atm_switch.svg', name: 'ATMSW{0}' },
  template: { builtin: 'ATM switch', category: 'switch' },
  fields,
  ...circuitSwitch({ model: 'atm_switch', parse: parseAtmMappings, linkTypes: ATM, oldType: 'ATMSwitch' }),
});
