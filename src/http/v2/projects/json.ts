import type { ProjectRecord } from '../../../projections/records.ts';

/** `asExisting`: for programs that know the existing server. */
export const projectToJson = (p: ProjectRecord, asExisting: boolean) => ({
  project_id: p.project_id,
  name: p.name,
  filename: p.filename,
  path: p.path,
  // Clients ask for nodes as soon as they read `opened`, so a project that is still opening is not.
  status: p.state === 'opened' || p.state === 'closing' || p.state === 'restoring' ? 'opened' : 'closed',
  auto_close: p.auto_close,
  auto_open: p.auto_open,
  auto_start: p.auto_start,
  scene_width: p.scene_width,
  scene_height: p.scene_height,
  zoom: p.zoom,
  grid_size: p.grid_size,
  drawing_grid_size: p.drawing_grid_size,
  show_grid: p.show_grid,
  show_interface_labels: p.show_interface_labels,
  show_layers: p.show_layers,
  snap_to_grid: p.snap_to_grid,
  record_consoles: p.record_consoles,
  record_hidden_input: p.record_hidden_input ?? false,
  default_compute: p.default_compute ?? 'local',
  ...(asExisting
    ? {}
    : {
        on_takeover: p.on_takeover ?? 'leave',
        folder: p.folder ?? [],
        tags: p.tags ?? [],
        groups: p.groups ?? [],
        checks: p.checks ?? [],
        stages: p.stages ?? [],
      }),
  supplier: p.supplier,
  variables: p.variables,
});

export const computeProjectToJson = (p: ProjectRecord) => ({
  project_id: p.project_id,
  name: p.name,
  variables: p.variables,
});
