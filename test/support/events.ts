import { DEFAULT_SETTINGS } from '../../src/model/project.ts';
import { SYSTEM } from '../../src/events/event.ts';
import type { AnyDraft, DataOf, EventType } from '../../src/events/schemas.ts';

export const PROJECT = '00000000-0000-4000-8000-000000000001';

export const draftOf = <T extends EventType>(type: T, data: DataOf<T>, projectId: string | null = PROJECT): AnyDraft =>
  ({ project_id: projectId, type, data, by: SYSTEM, request_id: null, cause: null }) as unknown as AnyDraft;

/** Settings of a new project. */
export const PROJECT_SETTINGS = { ...DEFAULT_SETTINGS, auto_close: true };

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
