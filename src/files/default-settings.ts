import type { ProjectSettings } from '../events/fields.ts';

/** Of a project of which nobody has said anything. */
export const DEFAULT_SETTINGS: Omit<ProjectSettings, 'name'> = {
  auto_close: false,
  auto_open: false,
  auto_start: false,
  scene_width: 2000,
  scene_height: 1000,
  zoom: 100,
  grid_size: 75,
  drawing_grid_size: 25,
  show_grid: false,
  show_interface_labels: false,
  show_layers: false,
  snap_to_grid: false,
  record_consoles: false,
  supplier: null,
  variables: null,
};

/** What is so where records do not say it. */
export const UNSAID_SETTINGS = {
  ...{ record_hidden_input: false, on_takeover: 'leave', seed: 0 },
  ...{ folder: [], tags: [], groups: [], checks: [], stages: [], weather: [] },
} satisfies Partial<ProjectSettings>;
