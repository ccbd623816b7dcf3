import type { Models } from '../process/model.ts';
import { atmSwitch } from './switches/atm-switch.ts';
import { ethernetHub } from './switches/ethernet-hub.ts';
import { ethernetSwitch } from './switches/ethernet-switch.ts';
import { frameRelaySwitch } from './switches/frame-relay-switch.ts';
import { host } from './host.ts';
import { simpleRouter } from './simple-router.ts';
import { simulated } from './simulated.ts';
import { traceTool } from './trace-tool.ts';

/** The embedded models by name. */
export const models = {
  host,
  simple_router: simpleRouter,
  ethernet_switch: ethernetSwitch,
  ethernet_hub: ethernetHub,
  frame_relay_switch: frameRelaySwitch,
  atm_switch: atmSwitch,
  trace_tool: traceTool,
  simulated,
} satisfies Models;
