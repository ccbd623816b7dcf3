import { SYSTEM } from '../../src/events/event.ts';
import type { AnyDraft, DataOf, EventType } from '../../src/events/schemas.ts';

export const PROJECT = '00000000-0000-4000-8000-000000000001';

export const draftOf = <T extends EventType>(type: T, data: DataOf<T>, projectId: string | null = PROJECT): AnyDraft =>
  ({ project_id: projectId, type, data, by: SYSTEM, request_id: null, cause: null }) as unknown as AnyDraft;

/** Settings of a new project. */
export const PROJECT_SETTINGS = {
  auto_close: true,
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

export const projectData = (id = PROJECT): DataOf<'project.created'> => ({
  project_id: id,
  name: `lab ${id.slice(-4)}`,
  path: `/labs/${id}`,
  filename: 'lab.gns3',
  file_sha256: null,
  extra: {},
  ...PROJECT_SETTINGS,
});

export const drawingData = (n: number, id = PROJECT): DataOf<'drawing.created'> => ({
  drawing_id: `00000000-0000-4000-9000-${String(n).padStart(12, '0')}`,
  project_id: id,
  x: n,
  y: 0,
  z: 2,
  rotation: 0,
  locked: false,
  svg: '<svg></svg>',
  extra: {},
});

export const drawingDraft = (n: number, id = PROJECT): AnyDraft => draftOf('drawing.created', drawingData(n, id), id);
