/** Kinds of obstacles that keep a packet from arriving (docs/reference/why.md). */
export const OBSTACLE_CODES = [
  'project_closed',
  'node_stopped',
  'node_suspended',
  'node_unreachable',
  'node_simulated',
  'node_gone',
  'no_link',
  'link_gone',
  'link_suspended',
  'link_filter',
  'vlan',
  'tagged',
  'circuit',
  'no_address',
  'no_route',
  'no_gateway',
  'no_forwarding',
  'duplicate_address',
  'loop',
  'no_path',
] as const;
export type ObstacleCode = (typeof OBSTACLE_CODES)[number];
