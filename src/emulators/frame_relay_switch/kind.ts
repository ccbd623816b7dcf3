import { parseFrameRelayMappings } from '../../fabric/models/switches/mappings.ts';
import { defineKind } from '../kit/define-kind.ts';
import { circuitSwitch } from '../ports/circuit-switch.ts';
import { FRAME_RELAY } from '../ports/ports.ts';

/** Its mappings: `port:dlci` to `port:dlci`. */
export const frameRelaySwitch = defineKind({
  name: 'frame_relay_switch',
  titles: { de: 'Frame-Relay-Switch' },
  directory: 'dynamips',
  look: { symbol: ':/symbols/frame_relay_switch.svg', name: 'FRSW{0}' },
  template: { builtin: 'Frame Relay switch', category: 'switch' },
  ...circuitSwitch({
    model: 'frame_relay_switch',
    parse: parseFrameRelayMappings,
    linkTypes: FRAME_RELAY,
    oldType: 'FrameRelaySwitch',
  }),
});
